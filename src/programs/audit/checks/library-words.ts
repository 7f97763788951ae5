// Words of libraries that remedies in several files name. audit: rule 5

/** Queues that keep a job when the process ends. */
export const queues = {
  Node: 'BullMQ: await queue.add(…); pg-boss: await boss.send(…)',
  Python: 'Celery: task.delay(…), with acks_late=True; Django: in transaction.on_commit',
  Go: 'River: client.InsertTx(…); or a table that a goroutine works through',
  Ruby: 'Active Job: perform_later, with Solid Queue or Sidekiq behind it',
  PHP: 'Laravel: dispatch($job) on a database or Redis queue; Symfony Messenger: an async transport',
}

/** Cryptographic random sources. */
export const randomTexts = {
  Node: "crypto.randomBytes(32).toString('base64url')",
  Python: 'secrets.token_urlsafe(32)',
  Go: 'crypto/rand: rand.Read(bytes), then base64.RawURLEncoding',
  Ruby: 'SecureRandom.urlsafe_base64(32)',
  PHP: 'bin2hex(random_bytes(32))',
}

/** Encryption of stored tokens. */
export const encryption = {
  Node: "crypto.createCipheriv('aes-256-gcm', key, iv), or libsodium's crypto_secretbox",
  Python: 'cryptography: Fernet(key).encrypt(token); Django: django-fernet-encrypted-fields',
  Go: 'crypto/cipher: NewGCM(block), or golang.org/x/crypto/nacl/secretbox',
  Ruby: 'Active Record 7: encrypts :access_token, :refresh_token',
  PHP: "Laravel: the cast 'encrypted'; else sodium_crypto_secretbox()",
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
  PHP: "Guzzle: 'timeout' => 10; Laravel: Http::timeout(10); Symfony: 'max_duration' => 10",
}
