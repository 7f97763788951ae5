import * as z from 'zod'
import { auditFile } from '../audit/context/file.js'

/** Prints the JSON Schema of the audit's file, for `npm run schema`: editors complete and check with it. */
process.stdout.write(`${JSON.stringify(z.toJSONSchema(auditFile, { io: 'input' }), null, 2)}\n`)
