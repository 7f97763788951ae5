import * as z from 'zod'
import { elementTypeNames } from './element-type-names.js'

/** The names of element types on the wire; each must be unique. wire: §7 `element_type_names` */
export const typeNameMap = z.record(z.string(), z.string().min(1)).superRefine((names, context) => {
  for (const type of Object.keys(names)) {
    if (!elementTypeNames.some((name) => name === type)) {
      const message = `is not an element type; they are ${elementTypeNames.join(', ')}`
      context.addIssue({ code: 'custom', path: [type], message })
    }
  }
  const used = elementTypeNames.map((type) => (Object.hasOwn(names, type) ? (names[type] as string) : type))
  for (const [index, type] of elementTypeNames.entries()) {
    const other = elementTypeNames[used.indexOf(used[index] as string)]
    if (other === type || other === undefined) continue
    const path = Object.hasOwn(names, type) ? type : other
    context.addIssue({ code: 'custom', path: [path], message: `"${used[index]}" would name both ${other} and ${type}` })
  }
})
