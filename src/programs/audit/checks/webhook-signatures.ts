import { describeResponse, isSuccess } from '../app/app-response.js'
import { installWithoutWebhook, mustAcceptAlike, mustTellApart } from '../context/installing.js'
import { type CheckEntry, defineChecks, fail, pass, tryEach } from './check.js'
import { rejects } from './webhook-forgeries.js'

const verify =
  'Compute the HMAC-SHA256 of the raw body with the signing secret, and compare it with the header in constant time before you parse anything.'

const rawBody = {
  Node: 'express.raw({ type: () => true }), which makes request.body a Buffer; fetch handlers: await request.arrayBuffer()',
  Python: 'Flask: request.get_data(); Django: request.body; FastAPI: await request.body()',
  Go: 'io.ReadAll(r.Body)',
  Ruby: 'Rails: request.raw_post; Rack: request.body.read',
  PHP: "file_get_contents('php://input'); Laravel, Symfony: $request->getContent()",
}

const verification = {
  Node: `${rawBody.Node}; crypto.timingSafeEqual(expected, received)`,
  Python: `${rawBody.Python}; hmac.compare_digest(expected, received)`,
  Go: `${rawBody.Go}; hmac.Equal(expected, received)`,
  Ruby: `${rawBody.Ruby}; Rack::Utils.secure_compare(expected, received)`,
  PHP: `${rawBody.PHP}; hash_equals($expected, $received)`,
}

const rejected = {
  severity: 'critical',
  source: 'spec: §5.2.8, §6.5',
  expected: 'Returns a 4xx, not a 2xx or 5xx, and ignores the content of the webhook.',
} as const satisfies Partial<CheckEntry>

const rejectedAsMalformed = {
  severity: 'high',
  source: 'spec: §5.2.8; ASVS 5.0 11.2.4',
  expected: `${rejected.expected} The next genuine webhook works.`,
} as const satisfies Partial<CheckEntry>

/** Genuine bodies of `webhook.raw-body`, by what each of them has. */
const bodies: Record<string, (envelope: object) => string> = {
  'extra spaces, escapes, another key order and a final newline': reformat,
  'Ö and 😀 in a name, as UTF-8': (envelope) => JSON.stringify(envelope).replace('Audit Owner', 'Audit Öwner 😀'),
}

export const webhookSignatures = defineChecks({ needs: ['webhook'], control: mustTellApart })({
  'webhook.unsigned': {
    ...rejected,
    title: 'rejects a webhook without a signature',
    fix: `Treat a missing header as a wrong signature. ${verify}`,
    ...verification,
    run: rejects({ 'without a signature header': () => ({}) }),
  },
  'webhook.other-secret': {
    ...rejected,
    title: 'rejects a webhook signed with another secret',
    fix: `${verify} Do not start without a signing secret, because anyone can sign with an empty one.`,
    Node: 'process.env holds undefined for a missing variable, and `?? ""` hides it: throw',
    Python: "os.environ['…'] raises KeyError; os.environ.get('…', '') hides it",
    Go: 'os.Getenv returns an empty string: os.LookupEnv, and log.Fatal',
    Ruby: "ENV.fetch('…') raises KeyError; ENV['…'].to_s hides it",
    PHP: "getenv('…') returns false, which hash_hmac takes as an empty key: throw",
    run: rejects({
      'signed with another secret': ({ body, sign }) => ({ signature: sign(body, 'the secret of another app') }),
      'signed with an empty secret': ({ body, sign }) => ({ signature: sign(body, '') }),
    }),
  },
  'webhook.altered': {
    ...rejected,
    title: 'rejects a webhook that was altered after signing',
    fix: `${verify} Every byte counts: hash the bytes, not a decoded or trimmed string.`,
    ...verification,
    run: rejects({
      'with one letter changed after signing': ({ body, signature }) => ({
        body: body.replace('"Audit ', '"audit '),
        signature,
      }),
      'with one bit changed after signing': ({ body, signature }) => ({ body: withHighBit(body, 'Audit '), signature }),
    }),
  },
  'webhook.reserialised': {
    ...rejected,
    title: 'rejects a signature of the same JSON value with other whitespace',
    fix: `${verify} JSON that was parsed and serialized again is not the text that was signed.`,
    ...rawBody,
    run: rejects({
      'with the signature of its compact JSON': ({ body, signature }) => ({
        body: JSON.stringify(JSON.parse(body), null, 2),
        signature,
      }),
    }),
  },
  'webhook.short-signature': {
    ...rejectedAsMalformed,
    title: 'rejects a part of the right signature',
    fix: 'Refuse a signature of another length, without an exception, and compare all of its digits.',
    Node: 'crypto.timingSafeEqual throws when the lengths differ: compare them first; startsWith accepts a prefix',
    Python: 'hmac.compare_digest returns False; expected.startswith(received) accepts a prefix',
    Go: 'hmac.Equal returns false; strings.HasPrefix accepts a prefix',
    Ruby: 'Rack::Utils.secure_compare returns false; OpenSSL.fixed_length_secure_compare raises',
    PHP: 'hash_equals returns false; strncmp accepts a prefix',
    run: rejects({
      'with the first 8 digits of its signature': ({ signature, inForm }) =>
        inForm(signature.slice(0, 8), '-r | cut -c 1-8'),
      'with the last 8 digits of its signature': ({ signature, inForm }) =>
        inForm(signature.slice(-8), '-r | cut -c 57-64'),
      'with an empty signature': () => ({ signature: '' }),
      'with 63 of the 64 digits of its signature': ({ signature, inForm }) =>
        inForm(signature.slice(0, 63), '-r | cut -c 1-63'),
    }),
  },
  'webhook.odd-signature': {
    ...rejectedAsMalformed,
    title: 'rejects signatures that are not a hexadecimal digest',
    fix: 'Treat everything except 64 hexadecimal digits as a wrong signature, without an exception.',
    Node: "Buffer.from(text, 'hex') ends at the first odd digit, so that timingSafeEqual throws: test /^[0-9a-f]{64}$/",
    Python: 'hmac.compare_digest raises TypeError for text that is not ASCII: compare bytes',
    Go: 'hex.DecodeString returns an error: return 401 for it',
    Ruby: "[text].pack('H*') accepts any text: compare the digits",
    PHP: 'hex2bin returns false, for which hash_equals throws TypeError: compare the digits',
    explainedBy: ['webhook.accepts'],
    run: rejects({
      'with a signature that is not hexadecimal': () => ({ signature: 'z'.repeat(64) }),
      'with its signature in base64': ({ signature, inForm }) =>
        inForm(Buffer.from(signature, 'hex').toString('base64'), '-binary | openssl base64 -A'),
      'with a signature of 10 KB': () => ({ signature: 'a'.repeat(10_240) }),
      'with a non-ASCII signature': () => ({ signature: 'é'.repeat(64) }),
    }),
  },
  'webhook.raw-body': {
    title: 'verifies the signature over the raw bytes',
    severity: 'high',
    source: 'spec: §6.5; wire: §7 "headers"',
    expected:
      'Returns a 2xx for a genuine signature over valid JSON with extra spaces, escapes, another key order and a final newline, or with UTF-8 beyond ASCII.',
    fix: 'Read the body as bytes, verify it, then parse it. JSON that was serialized again, or text decoded as ISO-8859-1, is not what was signed.',
    ...rawBody,
    explainedBy: ['webhook.accepts'],
    run: tryEach(
      bodies,
      async (context, what, write) => {
        const { tenant, envelope } = await installWithoutWebhook(context)
        const sent = await context.attacker.postSigned(write(envelope))
        const message = `A genuine webhook with ${what}, was not accepted: ${describeResponse(sent)}`
        if (!isSuccess(sent)) {
          await mustAcceptAlike(context)
          return fail(message, { sent })
        }
        if (context.file.probe) await tenant.mustServe('after the webhook')
        return pass(what)
      },
      (accepted) => `Accepted ${accepted.length} genuine webhooks: with ${accepted.join('; with ')}`,
    ),
  },
})

/** Flips the high bit of the first byte of `text`, which some decoders drop silently. */
function withHighBit(body: string, text: string): Buffer {
  const bytes = Buffer.from(body)
  const at = bytes.indexOf(text)
  bytes[at] = (bytes[at] ?? 0) ^ 0x80
  return bytes
}

/** Writes the same value with its keys in another order, spaces, escapes and a newline at the end. */
function reformat(envelope: object): string {
  const reordered = Object.fromEntries(Object.entries(envelope).reverse())
  return `${JSON.stringify(reordered, null, 3).replaceAll('Audit', '\\u0041udit').replaceAll('": ', '" :  ')}\n`
}
