/** What validation finds wrong with one part of a body, a query or a document. `path` is dotted: `properties.questions.0.text`. */
export interface Issue {
  path: string
  message: string
}
