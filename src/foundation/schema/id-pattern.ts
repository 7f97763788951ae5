/** An id in documents, control calls and headers of runs. fixtures: "Ids" */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/
