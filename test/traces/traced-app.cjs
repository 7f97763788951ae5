// An app with OpenTelemetry's SDK, whose webhook reads its courses. It prints its port, and exports its spans at SIGTERM.
//   node traced-app.cjs <url of the emulator>
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http')
const { registerInstrumentations } = require('@opentelemetry/instrumentation')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { BatchSpanProcessor, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')

const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
provider.register()
const instrumentation = new HttpInstrumentation({
  ignoreOutgoingRequestHook: ({ port }) => String(port) === new URL(process.env.OTEL_EXPORTER_OTLP_ENDPOINT).port,
})
registerInstrumentations({ instrumentations: [instrumentation] })

const http = require('node:http')
const emulator = process.argv[2]

const coursesWith = (token) =>
  new Promise((resolve, reject) => {
    const request = http.get(`${emulator}/v0/courses`, { headers: { authorization: `Bearer ${token}` } }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    )
    request.on('error', reject)
  })

const server = http.createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const status = await coursesWith(JSON.parse(body).data.credentials.access_token)
  response.writeHead(status).end()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))

process.on('SIGTERM', async () => {
  await provider.shutdown()
  process.exit(0)
})
