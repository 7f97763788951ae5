interface CurlRequest {
  method: string
  url: URL
  /** Each as it stands on the command line, quoted. */
  headers: string[]
  body: string | undefined
}

/** A request as a command for a terminal. */
export const curl = ({ method, url, headers, body }: CurlRequest): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    shellQuoted(url.href),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === undefined ? [] : ['-d', shellQuoted(body)]),
  ].join(' ')

/** As a POSIX shell reads it. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
