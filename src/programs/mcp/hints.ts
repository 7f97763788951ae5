/** What the server tells an agent at first. */
export const instructions = `Mockademy emulates a course-delivery platform locally: the public API under /v0, OAuth 2.0 and OpenID Connect, and webhooks to an extension app under development. These tools control the emulator; the app itself talks to it over HTTP.

To find out why a request of the app was refused, call listRequests with limit 5 (surface "api", "oauth" or "webhook"): "reason" gives the full reason, "fault" names an injected fault, "warnings" lists what was ignored. Then call listFindings for mistakes that the app makes, listFaults for faults that are still set, and clock and listTokens for what has expired.
To find out whether a webhook arrived, call listDeliveries: it shows each attempt with its status, error and response. deliveriesSettled waits for attempts in flight.
To produce a state, use install, expireTokens, advanceClock, addFault or sendEvent. The developer may be working with the same world, so call snapshot before and restoreSnapshot after.
Apps are named by manifest id or client id, users by id or email, organizations by slug.`
