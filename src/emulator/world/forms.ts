/** An id_token before it is signed. */
export interface IdTokenParts {
  header: { alg: string; kid?: string; typ: string }
  claims: Record<string, unknown>
}

/** The forms in which rules write what is no response. The platform leaves them open, so liberties have others. */
export interface Forms {
  /** Writes the body of an event. `liberties`: the ids of those that it and the ids and tokens in it have met. */
  event(envelope: { type: string; [member: string]: unknown }): { body: string; liberties?: string[] }
  /** Returns an id_token's header and claims as they are signed. */
  idToken(draft: IdTokenParts): IdTokenParts
  /** Returns true when one more page follows the one with a list's last item: an empty one. */
  endsEmpty(): boolean
}

export const plainForms: Forms = {
  event: (envelope) => ({ body: JSON.stringify(envelope) }),
  idToken: (draft) => draft,
  endsEmpty: () => false,
}
