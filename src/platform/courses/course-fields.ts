import * as z from 'zod'
import { freeForm } from '../../foundation/schema/record-fields.js'

const text = z.string().nullable().default(null)

/** The fields of a course, with what they are when a document leaves them out. wire: §4 "course" */
export const courseFields = {
  name: z.string().min(1),
  status: z.enum(['draft', 'published', 'archived']).default('published'),
  cover: text,
  availability: z.enum(['public', 'private']).default('public'),
  visibility: z.enum(['listed', 'unlisted']).default('listed'),
  start_date: text,
  end_date: text,
  currency: text,
  price: z.number().nullable().default(null),
  free_label: text,
  url: text,
  public_url: text,
  join_url: text,
  metadata: freeForm.default({}),
  custom_fields: freeForm.default({}),
}
