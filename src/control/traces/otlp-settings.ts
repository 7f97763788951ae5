import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import { StartError } from '../../foundation/store/start-error.js'

/** The address that spans are posted to, and the name of this service in the traces. */
export type OtlpSettings = NonNullable<ReturnType<typeof otlpSettings>>

/**
 * Reads `OTEL_EXPORTER_OTLP_ENDPOINT` and its companions; undefined when spans are not to be exported. coverage: "Traces"
 * @throws StartError when the endpoint is no URL of http or https.
 */
export function otlpSettings(environment: Record<string, string | undefined>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = environment
  if (!endpoint || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint)) {
    throw new StartError(2, `OTEL_EXPORTER_OTLP_ENDPOINT ${JSON.stringify(endpoint)}: must be a URL of http or https`)
  }
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries((headers ?? '').split(',').flatMap(headerIn)),
    service: environment.OTEL_SERVICE_NAME || 'mockademy',
  }
}

/** Reads `name=value`, the value percent-encoded; nothing of what is not of that form. */
function headerIn(pair: string): [string, string][] {
  const [, name, value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
  return name === undefined ? [] : [[name, unlessThrows(() => decodeURIComponent(value)) ?? value]]
}
