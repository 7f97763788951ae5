/** Words of libraries that remedies in several files name. audit: rule 5 */

/** Queues that keep a job when the process ends. */
export const queues = {
  Node: 'BullMQ: await queue.add(…); pg-boss: await boss.send(…)',
  Python: 'Celery: task.delay(…), with acks_late=True; Django: in transaction.on_commit',
  Go: 'River: client.InsertTx(…); or a table that a goroutine works through',
  Ruby: 'Active Job: perform_later, with Solid Queue or Sidekiq behind it',
  PHP: 'Laravel: dispatch($job) on a database or Redis queue; Symfony Messenger: an async transport',
}

/** Parsers that ignore unknown fields. */
export const ignoredFields = {
  Node: 'zod: z.object() or z.looseObject(), not z.strictObject(); Ajv: no additionalProperties: false',
  Python: "Pydantic: extra='ignore', not 'forbid'; marshmallow: unknown = EXCLUDE; dataclasses: not Event(**fields)",
  Go: 'encoding/json ignores them: do not call DisallowUnknownFields()',
  Ruby: 'dry-struct: without schema.strict; Data and Struct: not new(**fields)',
  PHP: 'Symfony Serializer: allow_extra_attributes true; no new Event(...$fields)',
}

/** Timeouts of HTTP clients, most of which have none by default. */
export const timeouts = {
  Node: 'fetch(url, { signal: AbortSignal.timeout(10_000) }); axios: timeout: 10_000',
  Python: 'requests.get(url, timeout=10), which waits forever without it; httpx: timeout=10',
  Go: '&http.Client{Timeout: 10 * time.Second}; http.DefaultClient has none',
  Ruby: 'Faraday: request: { timeout: 10 }; Net::HTTP: open_timeout, read_timeout',
  PHP: "Guzzle: 'timeout' => 10; Laravel: Http::timeout(10)",
}
