// A client that gives up nothing: it sends each request again and again, the next one when it has read the response.
//   node looping-client.js <requests as JSON: { url, token, form }> <connections: fresh | kept> <times>
import { Agent, request } from 'node:http'

const [, , requests, connections, times] = process.argv
const agent = connections === 'kept' ? new Agent({ keepAlive: true, maxSockets: 1 }) : false

const send = ({ url, token, form }) =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const sent = request(url, { agent, headers, method: form ? 'POST' : 'GET' })
    sent.on('response', (response) => response.resume().on('end', resolve))
    sent.on('error', reject).end(form && new URLSearchParams(form).toString())
  })

for (const each of JSON.parse(requests)) for (let time = 0; time < Number(times); time++) await send(each)
if (agent) agent.destroy()
