/** Returns a template with values in place of `{{name}}`. */
export const fill = (template: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, () => value), template)
