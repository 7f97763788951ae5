import * as z from 'zod'
import { withoutDefaults } from '../../foundation/schema/document-fields.js'
import { recordFields } from '../../foundation/schema/record-fields.js'
import { courseFields } from './course-fields.js'

export const courseRecord = z.object({ ...recordFields, organization: z.string(), ...withoutDefaults(courseFields) })

export type CourseRecord = z.infer<typeof courseRecord>
