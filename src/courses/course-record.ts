import * as z from 'zod'
import { withoutDefaults } from '../schema/document-fields.js'
import { recordFields } from '../schema/record-fields.js'
import { courseFields } from './course-fields.js'

export const courseRecord = z.object({ ...recordFields, organization: z.string(), ...withoutDefaults(courseFields) })

export type CourseRecord = z.infer<typeof courseRecord>
