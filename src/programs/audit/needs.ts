/** Keys of the audit's file that a check cannot do without. audit: "Running it" */
export type FileKey = 'start' | 'whoami' | 'probe' | 'list' | 'restart' | 'logs'
/** Parts of the manifest that a check is about. */
export type ManifestPart = 'webhook' | 'oauth.install' | 'oauth.authorize' | 'post_install_action'
