/** The bundler makes a string of a text file. */
declare module '*.txt' {
  const text: string
  export default text
}
