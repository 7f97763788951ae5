/** A validation issue in a body, a query or a document. `path` is dotted: `properties.questions.0.text`. */
export interface Issue {
  path: string
  message: string
}

/** The way to a part of a JSON value: names of fields and positions in arrays. */
export type Path = (string | number)[]
