import * as z from 'zod'
import { freeForm } from '../../foundation/schema/record-fields.js'

/** The fields of a module, with what they are when a document leaves them out. wire: §4 "module" */
export const moduleFields = {
  name: z.string().min(1),
  metadata: freeForm.default({}),
}
