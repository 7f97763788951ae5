// src/webhooks/lifecycle-events.ts
var lifecycleEvents = {
  "app.installed": { window: "ack_window" },
  "app.uninstalled": { window: "attempt_timeout" }
};
var isLifecycleEvent = (type) => Object.hasOwn(lifecycleEvents, type);
var attemptWindow = (world, type) => world.settings[isLifecycleEvent(type) ? lifecycleEvents[type].window : "attempt_timeout"];

export {
  lifecycleEvents,
  isLifecycleEvent,
  attemptWindow
};
