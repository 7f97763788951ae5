// Made by `npm run build`; docs/api.d.ts is a copy.
/// <reference lib="es2021.promise" />
/// <reference lib="es2022.error" />
/// <reference lib="esnext.disposable" />

declare global {
  /** The project's own declaration of it: that of Node.js, of the DOM, or none. */
  interface AbortSignal {}
}

/** Milliseconds of each unit of a duration. */
declare const units: {
  ms: number
  s: number
  m: number
  h: number
  d: number
}
/** A duration as users write it: milliseconds, or text such as `90s`. */
type Duration$1 = number | `${number}${keyof typeof units}`

/** Options of a report. */
interface ReportOptions {
  /** The run, in a few words: a command, or the name of a test. */
  title?: string | undefined
  /** The command that repeats the run. */
  command?: string | undefined
  /** The run's end, as in `failed with 1`. */
  result?: string | undefined
  /** Slug: leaves out what belongs to other organizations. */
  organization?: string | undefined
}

/** A validation issue in a body, a query or a document. `path` is dotted: `properties.questions.0.text`. */
interface Issue {
  path: string
  message: string
}

/** The reasons to read everything again. */
type WorldChange = 'reset' | 'restored' | 'replaced' | 'loaded'

/** One event of the live stream. A later reading continues after its `id`. */
type StreamEvent = {
  id: number
} & (
  | {
      type: 'request'
      data: CallResult<'listRequests'>[number]
    }
  | {
      type: 'delivery'
      data: CallResult<'getDelivery'>
    }
  | {
      type: 'change'
      data: {
        collection: string
        id: string
        kind: 'put' | 'removed'
      }
    }
  | {
      type: 'clock'
      data: CallResult<'clock'>
    }
  | {
      type: 'world'
      data: {
        why: WorldChange
      }
    }
  | {
      type: 'finding'
      data: CallResult<'listFindings'>[number]
    }
  /** `missed` events were dropped, because they came faster than they were read. */
  | {
      type: 'gap'
      data: {
        missed: number
      }
    }
)
/** Options of `admin.stream`. */
interface StreamOptions {
  /** Id of the last event that is known; only new events when left out. */
  since?: number | undefined
  /** Id of a run of an audit or a sweep, or `any`; what runs caused is left out otherwise. */
  run?: string | undefined
  /** Ends the reading. */
  signal?: AbortSignal | undefined
}

/** A duration: milliseconds, or text such as `90s`, `1h`, `30d`. */
type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** A permission of a manifest: those that map to a scope, or any other. */
type Permission =
  | 'courses:read'
  | 'modules:read'
  | 'elements:read'
  | 'members:read'
  | 'activities:read'
  | 'openid'
  | 'profile'
  | 'email'
  | (string & {})

/** The type of a webhook event: the platform's own, or any other. */
type EventType = 'app.installed' | 'app.uninstalled' | (string & {})

/**
 * The control API: a method for each of its calls.
 * @throws AdminError from each method when the call is refused.
 * @throws UnreachableError from each method when no emulator responds.
 * @example
 * const { credentials } = await admin.install({ app: 'notes', organization: 'acme' })
 * await admin.advanceClock('61m')
 */
interface Admin {
  /** Check that the emulator is ready. `GET /healthz` */
  health(): Promise<HealthResult>
  /** Show the addresses, settings and counts of the world. `GET /_admin` */
  world(): Promise<World>
  /** Export the whole world as a fixture document. `GET /_admin/state` */
  getState(): Promise<FixtureDocument>
  /** Replace the world with a fixture document. `PUT /_admin/state` */
  putState(body: FixtureDocument): Promise<World>
  /** Add a fixture document to the world. `POST /_admin/fixtures` */
  addFixtures(body: FixtureDocument): Promise<AddFixturesResult>
  /** Restore the world that was loaded at start. `POST /_admin/reset` */
  reset(): Promise<World>
  /** List the snapshots. `GET /_admin/snapshots` */
  listSnapshots(): Promise<Snapshot[]>
  /** Take a snapshot of the present state. `POST /_admin/snapshots` */
  snapshot(name: string): Promise<Snapshot>
  /** Restore a snapshot, older or newer than the present state. `POST /_admin/snapshots/{name}/restore` */
  restoreSnapshot(name: string, body?: RestoreSnapshotBody): Promise<Snapshot>
  /** Delete a snapshot. `DELETE /_admin/snapshots/{name}` */
  deleteSnapshot(name: string): Promise<Snapshot>
  /** Show the time. `GET /_admin/clock` */
  clock(query?: ClockQuery): Promise<Clock>
  /** Advance the clock; everything that falls due happens before it returns. `POST /_admin/clock/advance` */
  advanceClock(by: Duration, others?: AdvanceClockOptions): Promise<MovedClock>
  /** Stop the clock, now or at a given time. `POST /_admin/clock/freeze` */
  freezeClock(at?: string, others?: FreezeClockOptions): Promise<MovedClock>
  /** Let the clock run again from its current time. `POST /_admin/clock/resume` */
  resumeClock(body?: ResumeClockBody): Promise<MovedClock>
  /** Make an organization for one test, with people and the app installed. `POST /_admin/sandboxes` */
  createSandbox(body?: CreateSandboxBody): Promise<NewSandbox>
  /** List the sandboxes. `GET /_admin/sandboxes` */
  listSandboxes(): Promise<Sandbox[]>
  /** Show a sandbox. `GET /_admin/sandboxes/{id}` */
  getSandbox(id: string): Promise<Sandbox>
  /** End a sandbox: delete its organization and all that was made in it. `DELETE /_admin/sandboxes/{id}` */
  deleteSandbox(id: string): Promise<Sandbox>
  /** List the organizations. `GET /_admin/organizations` */
  listOrganizations(): Promise<Organization[]>
  /** Add an organization, without members and API key. `POST /_admin/organizations` */
  createOrganization(body: CreateOrganizationBody): Promise<Organization>
  /** Show an organization with its members. `GET /_admin/organizations/{slug}` */
  getOrganization(slug: string): Promise<Organization>
  /** Delete an organization with everything in it. `DELETE /_admin/organizations/{slug}` */
  deleteOrganization(slug: string): Promise<Organization>
  /** Generate or regenerate the API key; the old one stops at once. `POST /_admin/organizations/{slug}/api-key` */
  generateApiKey(slug: string): Promise<GenerateApiKeyResult>
  /** Make a user a member, or give a member another role. `PUT /_admin/organizations/{slug}/members/{user}` */
  putMember(slug: string, user: string, role: 'owner' | 'admin' | 'lecturer' | 'learner'): Promise<Member>
  /** Remove a user from an organization. `DELETE /_admin/organizations/{slug}/members/{user}` */
  deleteMember(slug: string, user: string): Promise<Member>
  /** List the users. `GET /_admin/users` */
  listUsers(): Promise<User[]>
  /** Add a user. `POST /_admin/users` */
  createUser(body: NewUser): Promise<User>
  /** Change fields of a user. `PUT /_admin/users/{user}` */
  updateUser(user: string, body: UpdateUserBody): Promise<User>
  /** Delete a user who is in no organization and to whom no record refers, with their sessions and tokens. `DELETE /_admin/users/{user}` */
  deleteUser(user: string): Promise<User>
  /** List the apps. `GET /_admin/apps` */
  listApps(): Promise<App[]>
  /** Create an app; the response has its secrets. `POST /_admin/apps` */
  createApp(body: CreateAppBody): Promise<CreatedApp>
  /** Show an app with its versions. `GET /_admin/apps/{app}` */
  getApp(app: string): Promise<App>
  /** Show an app's client secret and signing secret. `GET /_admin/apps/{app}/secrets` */
  getAppSecrets(app: string): Promise<AppSecrets>
  /** Delete an app with its installations. `DELETE /_admin/apps/{app}` */
  deleteApp(app: string): Promise<App>
  /** Push a manifest: add a version, or replace an existing one. `PUT /_admin/apps/{app}/manifest` */
  pushManifest(app: string, body: Manifest): Promise<PushedApp>
  /** List the installations, ended ones too. `GET /_admin/installations` */
  listInstallations(query?: ListInstallationsQuery): Promise<Installation[]>
  /** Install an app; waits for the acknowledgement of its webhook. `POST /_admin/installations` */
  install(body: InstallBody): Promise<InstalledApp>
  /** Show an installation. `GET /_admin/installations/{id}` */
  getInstallation(id: string): Promise<Installation>
  /** Upgrade an app to its newest or another version. `POST /_admin/installations/{id}/upgrade` */
  upgrade(id: string, version?: string): Promise<InstalledApp>
  /** Uninstall an app; waits for the first attempt of its webhook. `DELETE /_admin/installations/{id}` */
  uninstall(id: string): Promise<UninstalledApp>
  /** List tokens, each with the last four characters of its secret. `GET /_admin/tokens` */
  listTokens(query?: ListTokensQuery): Promise<Token[]>
  /** Mint a token pair. `POST /_admin/tokens` */
  mintTokens(body: MintTokensBody): Promise<TokenPair>
  /** Expire tokens now: access tokens, unless `kind` or `token` selects others. `POST /_admin/tokens/expire` */
  expireTokens(body: TokenSelection): Promise<EndedTokens>
  /** Revoke tokens now. `POST /_admin/tokens/revoke` */
  revokeTokens(body: TokenSelection): Promise<EndedTokens>
  /** List the sessions. `GET /_admin/sessions` */
  listSessions(): Promise<Session[]>
  /** Sign a user in and return the session cookie. `POST /_admin/sessions` */
  signIn(user: string): Promise<SignedIn>
  /** Sign every user out. `DELETE /_admin/sessions` */
  endSessions(): Promise<Session[]>
  /** Treat requests without a cookie as signed in as this user. `PUT /_admin/sessions/ambient` */
  setAmbientUser(user: string): Promise<Session>
  /** End the ambient session: requests without a cookie are signed out. `DELETE /_admin/sessions/ambient` */
  clearAmbientUser(): Promise<Session>
  /** Force the outcome of prompt=none requests. `PUT /_admin/silent-auth` */
  setSilentAuth(body: SetSilentAuthBody): Promise<SilentAuth>
  /** List the forced outcomes of prompt=none requests. `GET /_admin/silent-auth` */
  listSilentAuth(): Promise<SilentAuth[]>
  /** Remove every forced outcome. `DELETE /_admin/silent-auth` */
  clearSilentAuth(): Promise<SilentAuth[]>
  /** Rotate the signing key, now or later. `POST /_admin/keys/rotate` */
  rotateKeys(body?: RotateKeysBody): Promise<Rotation>
  /** Inject a fault. `POST /_admin/faults` */
  addFault(body: NewFault): Promise<Fault>
  /** List the faults, with their hits. `GET /_admin/faults` */
  listFaults(): Promise<Fault[]>
  /** Delete every fault. `DELETE /_admin/faults` */
  clearFaults(): Promise<Fault[]>
  /** Delete a fault. `DELETE /_admin/faults/{id}` */
  deleteFault(id: string): Promise<Fault>
  /** Show the liberties that are taken, and how often. `GET /_admin/liberties` */
  getLiberties(): Promise<Liberties>
  /** Take liberties by seed, from its beginning. `PUT /_admin/liberties` */
  setLiberties(body: SetLibertiesBody): Promise<Liberties>
  /** Take no liberties. `DELETE /_admin/liberties` */
  clearLiberties(): Promise<Liberties>
  /** List the webhook deliveries, with their attempts. `GET /_admin/deliveries` */
  listDeliveries(query?: ListDeliveriesQuery): Promise<Delivery[]>
  /** Wait until no delivery is in flight or overdue. `GET /_admin/deliveries/settled` */
  deliveriesSettled(query?: DeliveriesSettledQuery): Promise<DeliveriesSettledResult>
  /** Show a delivery with every attempt. `GET /_admin/deliveries/{id}` */
  getDelivery(id: string): Promise<Delivery>
  /** Send a delivery again now. `POST /_admin/deliveries/{id}/redeliver` */
  redeliver(id: string): Promise<Delivery>
  /** Send any event to the app of an installation. `POST /_admin/events` */
  sendEvent(body: SendEventBody): Promise<Delivery>
  /** Read the webhooks that a built-in receiver has kept; with `wait`, wait for one. `GET /_admin/inboxes/{name}` */
  readInbox(name: string, query?: ReadInboxQuery): Promise<InboxEntry[]>
  /** Set the response of a built-in receiver; by default 200 at once. `PUT /_admin/inboxes/{name}` */
  setInbox(name: string, body?: SetInboxBody): Promise<Inbox>
  /** Empty a built-in receiver. `DELETE /_admin/inboxes/{name}` */
  emptyInbox(name: string): Promise<InboxEntry[]>
  /** List incoming requests and outgoing webhooks, with their responses. `GET /_admin/requests` */
  listRequests(query?: ListRequestsQuery): Promise<JournalEntry[]>
  /** Count the requests. `GET /_admin/requests/count` */
  countRequests(query?: CountRequestsQuery): Promise<CountRequestsResult>
  /** Empty the journal. `DELETE /_admin/requests` */
  clearRequests(): Promise<Affected>
  /** Mark the journal with the name of a test or a step. `POST /_admin/marks` */
  mark(name: string, others?: MarkOptions): Promise<Mark>
  /** List the mistakes of the app under test. `GET /_admin/findings` */
  listFindings(query?: ListFindingsQuery): Promise<Finding[]>
  /** Delete every finding. `DELETE /_admin/findings` */
  clearFindings(): Promise<Finding[]>
  /** Show which of the platform's behaviors an app has met. `GET /_admin/coverage` */
  getCoverage(query?: GetCoverageQuery): Promise<Coverage>
  /** List the cells that an app has not met, with the scenario that closes each. `GET /_admin/coverage/gaps` */
  listGaps(query?: ListGapsQuery): Promise<CoverageGap[]>
  /** Show the last report of an audit or a sweep. `GET /_admin/reports/{kind}` */
  getReport(kind: string): Promise<Report>
  /** Keep the report of an audit or a sweep, for the console. `PUT /_admin/reports/{kind}` */
  putReport(kind: string, body: Report): Promise<Report>
  /** Run the steps of a scenario, up to the first that fails. `POST /_admin/scenarios` */
  runScenario(body: Scenario): Promise<ScenarioResult>
  /** Start recording control calls and requests. `POST /_admin/recording` */
  startRecording(): Promise<StartRecordingResult>
  /** Stop recording and return the scenario, without secrets. `DELETE /_admin/recording` */
  stopRecording(): Promise<Recording>
  /** This document. `GET /_admin/openapi.json` */
  adminDocument(): Promise<AdminDocumentResult>
  /** Yields what happens from now on, or since an event, for as long as it is read. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent>
  /**
   * Writes a report of what has happened since the last reset: one HTML file that explains the run. Secrets are redacted
   * as in the journal; texts of the options are written as they are.
   * @param file its path; one that ends with a slash is a folder, in which the file is named after the title.
   * @returns the path of the file.
   * @throws InvalidOptionsError for a `file` that is no path, and options that do not exist or have invalid values.
   * @example
   * await admin.report('reports/', { title: 'signs in' })
   */
  report(file: string, options?: ReportOptions): Promise<string>
  /** Makes a sandbox, as `createSandbox` does, whose methods work on its organization alone. */
  sandbox(options?: CreateSandboxBody): Promise<BoundSandbox>
}

/** The parameters of a call that remain when its organization is known. */
type Bound<Name extends Exclude<keyof Admin, 'stream' | 'report' | 'sandbox'>> = Omit<
  NonNullable<Parameters<Admin[Name]>[0]>,
  'organization' | 'token' | 'all'
>

/**
 * An organization for one test, with calls that work on it alone.
 * @example
 * const sandbox: BoundSandbox = await admin.sandbox({ app: 'notes' })
 * await sandbox.clock.advance('61m')
 * await sandbox.end()
 */
interface BoundSandbox extends NewSandbox {
  /** Injects a fault, which matches requests of this organization alone. */
  fault(fault: NewFault): Promise<CallResult<'addFault'>>
  requests(query?: Bound<'listRequests'>): Promise<CallResult<'listRequests'>>
  deliveries(query?: Bound<'listDeliveries'>): Promise<CallResult<'listDeliveries'>>
  findings(query?: Bound<'listFindings'>): Promise<CallResult<'listFindings'>>
  settled(query?: Bound<'deliveriesSettled'>): Promise<CallResult<'deliveriesSettled'>>
  /** Makes its tokens expire: access tokens, unless `kind` says otherwise. */
  expireTokens(selection?: Bound<'expireTokens'>): Promise<CallResult<'expireTokens'>>
  /** Signs the person of a role in. @returns the cookie of a new session. */
  sessionFor(role: keyof NewSandbox['people']): Promise<CallResult<'signIn'>['cookie']>
  /** The clock of its organization. */
  clock: {
    /** Returns its time, as an ISO 8601 date-time. */
    now(): Promise<string>
    advance(by: Duration): Promise<CallResult<'advanceClock'>>
    freeze(at?: string): Promise<CallResult<'freezeClock'>>
    resume(): Promise<CallResult<'resumeClock'>>
  }
  /** Ends it: its organization and all that was made in it are deleted. */
  end(): Promise<void>
}

/** Result of a control call. */
type CallResult<Name extends Exclude<keyof Admin, 'stream'>> = Awaited<ReturnType<Admin[Name]>>

/** An effect on `api`. */
type ApiEffect =
  | 'rate_limited'
  | 'token_expired'
  | 'token_revoked'
  | 'insufficient_scope'
  | 'unavailable'
  | ApiEffectParts
/** An effect on `oauth`. */
type OauthEffect =
  | 'rate_limited'
  | 'token_expired'
  | 'token_revoked'
  | 'insufficient_scope'
  | 'unavailable'
  | OauthEffectParts
/** An effect on `webhook`. */
type WebhookEffect =
  | 'drop'
  | 'unreachable'
  | 'duplicate'
  | 'duplicate_at_once'
  | 'reorder'
  | 'lose_ack'
  | 'bad_signature'
  | 'short_signature'
  | 'no_signature'
  | 'stale_signature'
  | 'altered_body'
  | 'reserialised'
  | 'replay'
  | 'truncate'
  | WebhookEffectParts
/** An effect on `id_token`. */
type IdTokenEffect =
  | 'bad_signature'
  | 'unknown_kid'
  | 'wrong_iss'
  | 'no_iss'
  | 'wrong_aud'
  | 'second_aud'
  | 'wrong_azp'
  | 'expired'
  | 'no_exp'
  | 'not_yet_valid'
  | 'future_iat'
  | 'no_iat'
  | 'missing_sub'
  | 'alg_none'
  | 'hs256'
  | 'hs256_kid'
  | 'no_kid'
  | 'wrong_nonce'
  | 'no_nonce'
  | IdTokenEffectParts
/** An effect on any surface. */
type FaultEffect = ApiEffect | OauthEffect | WebhookEffect | IdTokenEffect
/** A fault to add: an effect of the surface that it matches; without a surface, of `api` and `oauth`. */
type NewFault = FaultRules &
  (
    | { match?: Omit<FaultMatch, 'surface'> & { surface?: 'api' }; effect: ApiEffect }
    | { match?: Omit<FaultMatch, 'surface'> & { surface?: 'oauth' }; effect: OauthEffect }
    | { match: Omit<FaultMatch, 'surface'> & { surface: 'webhook' }; effect: WebhookEffect }
    | { match: Omit<FaultMatch, 'surface'> & { surface: 'id_token' }; effect: IdTokenEffect }
  )

/** An element of a fixture document, with the properties of its type. */
type FixtureElement = Omit<FixtureElementFields, 'type' | 'properties'> &
  (
    | { type: 'CONTENT'; properties?: ContentProperties }
    | { type: 'VIDEO'; properties?: VideoProperties }
    | { type: 'MEETING_PROVIDER_A'; properties?: MeetingProviderAProperties }
    | { type: 'MEETING_LINK'; properties?: MeetingLinkProperties }
    | { type: 'QUIZ'; properties?: QuizProperties }
    | { type: 'SUBMISSION'; properties?: SubmissionProperties }
    | { type: 'GROUP_SUBMISSION'; properties?: GroupSubmissionProperties }
    | { type: 'EMBED'; properties?: EmbedProperties }
    | { type: 'SURVEY'; properties?: SurveyProperties }
    | { type: 'SCORM'; properties?: ScormProperties }
    | { type: 'CERTIFICATE'; properties?: CertificateProperties }
    | { type: 'TAG'; properties?: TagProperties }
    | { type: 'PARTNER_LEARNING'; properties?: PartnerLearningProperties }
    | { type: 'SELF_REVIEW'; properties?: SelfReviewProperties }
    | { type: 'PEER_REVIEW'; properties?: PeerReviewProperties }
    | { type: 'FEEDBACK_REFLECTION'; properties?: FeedbackReflectionProperties }
    | { type: 'INSTRUCTOR_REVIEW'; properties?: InstructorReviewProperties }
    | { type: 'INSTRUCTOR_DISCUSSION'; properties?: InstructorDiscussionProperties }
    | { type: 'AI_REVIEW'; properties?: AiReviewProperties }
    | { type: 'CHECKLIST'; properties?: ChecklistProperties }
    | { type: 'DISCUSSION'; properties?: DiscussionProperties }
    | { type: 'FILE'; properties?: FileProperties }
    | { type: 'GROUP_FORMATION'; properties?: GroupFormationProperties }
    | { type: 'FORM'; properties?: FormProperties }
    | { type: 'SCORE'; properties?: ScoreProperties }
    | { type: 'GROUP_PEER_REVIEW'; properties?: GroupPeerReviewProperties }
    | { type: 'GROUP_FEEDBACK_REFLECTION'; properties?: GroupFeedbackReflectionProperties }
    | { type: 'MEETING_PROVIDER_B'; properties?: MeetingProviderBProperties }
  )

/** A step of a scenario. Any text in it may hold references to the results of earlier steps. */
type ScenarioStep = ScenarioStepFields &
  (
    | { install: InstallStep }
    | { upgrade: UpgradeStep }
    | { uninstall: UninstallStep }
    | { push: Manifest }
    | { organization: OrganizationStep }
    | { user: NewUser }
    | { member: MemberStep }
    | { fixtures: FixtureDocument }
    | { advance: AdvanceStep }
    | { freeze: FreezeStep }
    | { resume: ResumeStep }
    | { expire: TokenSelection }
    | { revoke: TokenSelection }
    | { mint: MintStep }
    | { sign_in: SignInStep }
    | { ambient: AmbientStep }
    | { silent_auth: SilentAuthStep }
    | { rotate_keys: RotateKeysStep }
    | { fault: NewFault }
    | { clear_faults: ClearFaultsStep }
    | { event: EventStep }
    | { redeliver: RedeliverStep }
    | { inbox: InboxStep }
    | { settle: SettleStep }
    | { reset: ResetStep }
    | { snapshot: SnapshotStep }
    | { restore: RestoreStep }
    | { request: RequestStep }
    | { visit: VisitStep }
    | { mark: MarkStep }
    | { expect_delivery: ExpectDeliveryStep }
    | { expect_requests: ExpectRequestsStep }
    | { expect_findings: ExpectFindingsStep }
  )

/**
 * Rules that the app must have broken; no other finding of level error is allowed
 */
type ExpectFindingsStep = (
  | 'early_refresh'
  | 'refresh_reuse'
  | 'concurrent_refresh'
  | 'dead_refresh'
  | 'retry_without_refresh'
  | 'hopeless_retry'
  | 'wrong_kind_of_token'
  | 'token_in_url'
  | 'call_after_uninstall'
  | 'code_reuse'
  | 'state_reuse'
  | 'unverified_signature'
  | 'rejected_valid_event'
  | 'ignored_rate_limit'
  | 'slow_acknowledgement'
  | 'slow_webhook_work'
  | 'uncached_keys'
  | 'stale_keys'
  | 'unread_pages'
  | 'polling'
  | 'unknown_fields'
  | 'weak_state'
  | 'no_pkce'
  | 'no_nonce'
  | 'unredeemed_code'
  | 'unused_scope'
)[]

/**
 * Result of `health`
 */
interface HealthResult {
  status: 'ok'
}
/**
 * The emulator: its addresses, settings and counts
 */
interface World {
  name: string
  version: string
  base_url: string
  app_url: string
  browser_url: string
  /**
   * URL of the console
   */
  console_url: string
  world: 'seeded' | 'resumed'
  /**
   * The file, or `memory`
   */
  store: string
  settings: Settings
  /**
   * Source of each setting: given by a flag, option or variable; a fixture; or its default
   */
  setting_sources: {
    [k: string]: 'given' | 'fixture' | 'default'
  }
  counts: {
    [k: string]: number
  }
  /**
   * Those of the world that a reset restores
   */
  start_counts: {
    [k: string]: number
  }
  worlds: {
    index: number
    url: string
  }[]
  /**
   * The time on the emulator's clock at which the recording that is under way began
   */
  recording_since: string | null
  /**
   * Ids of the audits and sweeps that are running, in the order in which they began
   */
  runs: string[]
}
/**
 * A world as a document.
 * @example
 * const value: FixtureDocument = { organizations: [{ slug: 'acme', name: 'Acme', api_key: 'key_acme' }] }
 */
interface FixtureDocument {
  $schema?: string
  settings?: SettingOptions
  users?: {
    id?: string
    email: string
    first_name?: string
    last_name?: string
    /**
     * The email has been verified
     */
    email_verified?: boolean
    /**
     * URL of a picture
     */
    avatar?: string | null
    full_name?: string
    last_seen?: string | null
    organizations?: {
      slug: string
      role?: 'owner' | 'admin' | 'lecturer' | 'learner'
    }[]
    /**
     * Id of the audit or sweep that made it
     */
    run?: string
    created_at?: string
    sequence?: number
  }[]
  organizations?: {
    slug: string
    name?: string
    api_key?: string | null
    members?: {
      user: string
      role?: 'owner' | 'admin' | 'lecturer' | 'learner'
      created_at?: string
      sequence?: number
    }[]
    clock?: {
      frozen?: boolean
      now?: string
      offset?: number
    }
    /**
     * Id of the audit or sweep that made it
     */
    run?: string
    courses?: {
      id?: string
      name: string
      status?: 'draft' | 'published' | 'archived'
      cover?: string | null
      availability?: 'public' | 'private'
      visibility?: 'listed' | 'unlisted'
      start_date?: string | null
      end_date?: string | null
      currency?: string | null
      price?: number | null
      free_label?: string | null
      url?: string | null
      public_url?: string | null
      join_url?: string | null
      metadata?: {
        [k: string]: unknown
      }
      custom_fields?: {
        [k: string]: unknown
      }
      members?: (
        | string
        | {
            user: string
            joined_at?: string
            custom_fields?: {
              [k: string]: unknown
            }
            created_at?: string
            sequence?: number
          }
      )[]
      modules?: {
        id?: string
        name: string
        metadata?: {
          [k: string]: unknown
        }
        elements?: FixtureElement[]
        created_at?: string
        sequence?: number
      }[]
      created_at?: string
      sequence?: number
    }[]
    created_at?: string
    sequence?: number
  }[]
  apps?: {
    /**
     * Client id; generated when left out
     */
    client_id?: string
    /**
     * Client secret; generated when left out
     */
    client_secret?: string
    /**
     * Signing secret; generated when left out
     */
    signing_secret?: string
    manifest?: Manifest
    versions?: Manifest[]
    pushed_at?: string[]
    created_at?: string
    sequence?: number
  }[]
  installations?: {
    id?: string
    app: string
    organization: string
    version?: string
    installer?: string | null
    credentials?: {
      access_token?: string
      refresh_token?: string
    } | null
    announce?: boolean
    state?: 'installed' | 'uninstalling' | 'uninstalled' | 'upgraded'
    scope?: string
    installed_at?: string
    ended_at?: string | null
    created_at?: string
    sequence?: number
  }[]
  clock?: {
    frozen?: boolean
    now?: string
    offset?: number
  }
  keys?: {
    id: string
    sequence: number
    created_at: string
    private_jwk: {
      [k: string]: unknown
    }
    public_jwk: {
      [k: string]: unknown
    }
    retired: boolean
    signs_from?: string
  }[]
  tokens?: {
    id: string
    sequence: number
    created_at: string
    secret: string
    kind: 'access' | 'refresh'
    grant: 'install' | 'authorize'
    app: string
    organization: string
    installation: string
    user: string | null
    scope: string
    code: string | null
    access?: string
    expires_at: string
    ended: ('revoked' | 'rotated') | null
    ended_at: string | null
    ended_by: string | null
  }[]
  codes?: {
    id: string
    sequence: number
    created_at: string
    secret: string
    app: string
    organization: string
    installation: string
    user: string
    scope: string
    redirect_uri: string
    nonce: string | null
    code_challenge: string | null
    code_challenge_method: ('S256' | 'plain') | null
    expires_at: string
    used_at: string | null
    ended_by?: string
  }[]
  sessions?: {
    id: string
    sequence: number
    created_at: string
    secret: string
    csrf: string
    user: string
    ambient: boolean
  }[]
  deliveries?: {
    id: string
    sequence: number
    created_at: string
    event: {
      id: string
      type: string
    }
    app: string
    installation: string
    organization: string
    url: string
    body: string
    liberties?: string[]
    state: 'pending' | 'acknowledged' | 'retrying' | 'failed' | 'dropped'
    due_at: string | null
    ended_at: string | null
    tries: number
    held: {
      effect: 'delay' | 'reorder'
      fault: string
    } | null
    attempts: {
      at: string
      status: number | null
      duration: number
      error: string | null
      fault: string | null
      request: {
        headers: {
          [k: string]: string
        }
        body: string | null
      }
      response: {
        headers: {
          [k: string]: string
        }
        body: string
        length?: number
      } | null
    }[]
    cause?: {
      trace_id: string
      span_id: string
    }
  }[]
  silent_auth?: {
    id: string
    sequence: number
    created_at: string
    outcome: string
    app: string | null
    organization: string | null
    user: string | null
    left: number | null
  }[]
  faults?: {
    id: string
    sequence: number
    created_at: string
    match: {
      [k: string]: unknown
    }
    effect: unknown
    phase: 'before' | 'after'
    times: number | null
    after: number
    probability: number
    expires_at: string | null
    seen: number
    hits: number
  }[]
  sequence?: {
    last: number
    draws: number
  }
}
/**
 * Result of `addFixtures`
 */
interface AddFixturesResult {
  /**
   * Names and ids, by kind
   */
  created: {
    [k: string]: string[]
  }
}
/**
 * A saved state of the world
 */
interface Snapshot {
  name: string
  created_at: string
  /**
   * Records that differ from the present
   */
  changes: number
}
/**
 * Body of `restoreSnapshot`
 */
interface RestoreSnapshotBody {
  /**
   * Name of a later snapshot: what has changed since that one stays
   */
  until?: string
}
/**
 * Query parameters of `clock`
 */
interface ClockQuery {
  /**
   * `moves`: also the calls that moved a clock since the last reset
   */
  with?: 'moves'
}
/**
 * The emulator's clock, and the clocks of organizations that were moved on their own
 */
interface Clock {
  now: string
  /**
   * True while the clock is stopped
   */
  frozen: boolean
  /**
   * Milliseconds that it is ahead of the clock that it follows, or was before it stopped
   */
  offset: number
  /**
   * Those whose clock was moved on its own; it follows the emulator's
   */
  organizations: {
    organization: string
    now: string
    /**
     * True while the clock is stopped
     */
    frozen: boolean
    /**
     * Milliseconds that it is ahead of the clock that it follows, or was before it stopped
     */
    offset: number
  }[]
  /**
   * The newest 200, oldest first
   */
  moves?: {
    organization: string | null
    kind: 'advance' | 'freeze' | 'resume'
    from: string
    to: string
  }[]
}
/**
 * Further fields of `advanceClock`
 */
interface AdvanceClockOptions {
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * A clock that was moved, stopped or resumed
 */
interface MovedClock {
  /**
   * Null: the emulator's clock
   */
  organization: string | null
  now: string
  /**
   * True while the clock is stopped
   */
  frozen: boolean
  /**
   * Milliseconds that it is ahead of the clock that it follows, or was before it stopped
   */
  offset: number
}
/**
 * Further fields of `freezeClock`
 */
interface FreezeClockOptions {
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * Body of `resumeClock`
 */
interface ResumeClockBody {
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * Body of `createSandbox`
 */
interface CreateSandboxBody {
  /**
   * Manifest id or client id; the only app when left out
   */
  app?: string
  /**
   * Name of the organization
   */
  name?: string
  /**
   * Fields of a user, by role; an owner and a learner when left out
   */
  people?: {
    owner?: {
      email?: string
      first_name?: string
      last_name?: string
      /**
       * The email has been verified
       */
      email_verified?: boolean
      /**
       * URL of a picture
       */
      avatar?: string | null
    }
    admin?: {
      email?: string
      first_name?: string
      last_name?: string
      /**
       * The email has been verified
       */
      email_verified?: boolean
      /**
       * URL of a picture
       */
      avatar?: string | null
    }
    lecturer?: {
      email?: string
      first_name?: string
      last_name?: string
      /**
       * The email has been verified
       */
      email_verified?: boolean
      /**
       * URL of a picture
       */
      avatar?: string | null
    }
    learner?: {
      email?: string
      first_name?: string
      last_name?: string
      /**
       * The email has been verified
       */
      email_verified?: boolean
      /**
       * URL of a picture
       */
      avatar?: string | null
    }
  }
  /**
   * Slug of an organization to copy
   */
  from?: string
  /**
   * Install the app
   */
  install?: boolean
  /**
   * Real time after which it ends by itself: "1h"
   */
  ttl?: Duration
}
/**
 * A new sandbox, with the cookies of its people, its tokens and its API key
 */
interface NewSandbox {
  id: string
  organization: {
    slug: string
    name: string
  }
  api_key: string
  people: {
    owner?: {
      id: string
      email: string
      cookie: {
        name: string
        value: string
      }
    }
    admin?: {
      id: string
      email: string
      cookie: {
        name: string
        value: string
      }
    }
    lecturer?: {
      id: string
      email: string
      cookie: {
        name: string
        value: string
      }
    }
    learner?: {
      id: string
      email: string
      cookie: {
        name: string
        value: string
      }
    }
  }
  installation: Installation | null
  /**
   * Null when the manifest has no oauth.install
   */
  credentials: Credentials | null
  /**
   * Null when the manifest has no webhook
   */
  delivery: Delivery | null
}
/**
 * An installation of an app in an organization
 */
interface Installation {
  id: string
  /**
   * Manifest id
   */
  app: string
  organization: string
  version: string
  /**
   * User id
   */
  installer: string | null
  state: 'installed' | 'uninstalling' | 'uninstalled' | 'upgraded'
  scope: string
  installed_at: string
  ended_at: string | null
}
/**
 * The tokens of a new installation
 */
interface Credentials {
  client_id: string
  access_token: string
  refresh_token: string
  token_type: string
  /**
   * Seconds
   */
  expires_in: number
  expires_at: string
  scope: string
}
/**
 * A delivery of a webhook, with its attempts
 */
interface Delivery {
  id: string
  event: {
    id: string
    type: string
  }
  /**
   * Id
   */
  installation: string
  /**
   * Slug
   */
  organization: string
  /**
   * The run of an audit or a sweep that its organization belongs to
   */
  run?: string
  url: string
  state: 'pending' | 'acknowledged' | 'retrying' | 'failed' | 'dropped'
  /**
   * Time at which the next attempt is due
   */
  due_at: string | null
  attempts: {
    at: string
    status: number | null
    /**
     * Real milliseconds; 0 with a seed while the clock is stopped
     */
    duration: number
    error: string | null
    fault: string | null
    request: Message
    response: Message | null
  }[]
}
/**
 * The headers and the body of one side of an exchange, secrets redacted
 */
interface Message {
  headers: {
    [k: string]: string
  }
  body: unknown
}
/**
 * A sandbox: an organization for one test
 */
interface Sandbox {
  id: string
  organization: {
    slug: string
    name: string
  }
  people: {
    owner?: {
      id: string
      email: string
    }
    admin?: {
      id: string
      email: string
    }
    lecturer?: {
      id: string
      email: string
    }
    learner?: {
      id: string
      email: string
    }
  }
  /**
   * When it ends by itself, on the machine's clock
   */
  expires_at: string
}
/**
 * An organization, with its members
 */
interface Organization {
  slug: string
  name: string
  created_at: string
  members: Member[]
  api_key_last_four: string | null
  counts: {
    [k: string]: number
  }
  /**
   * The run of an audit or a sweep that made it
   */
  run?: string
}
/**
 * A member of an organization
 */
interface Member {
  user: string
  email: string
  role: 'owner' | 'admin' | 'lecturer' | 'learner'
}
/**
 * Body of `createOrganization`
 */
interface CreateOrganizationBody {
  slug: string
  name: string
}
/**
 * Result of `generateApiKey`
 */
interface GenerateApiKeyResult {
  api_key: string
}
/**
 * A user, with the organizations of which they are a member
 */
interface User {
  id: string
  email: string
  first_name: string
  last_name: string
  /**
   * The email has been verified
   */
  email_verified: boolean
  /**
   * URL of a picture
   */
  avatar: string | null
  full_name: string
  last_seen: string | null
  /**
   * Id of the audit or sweep that made it
   */
  run?: string
  organizations: {
    slug: string
    role: 'owner' | 'admin' | 'lecturer' | 'learner'
  }[]
}
/**
 * A user to add
 */
interface NewUser {
  id?: string
  email: string
  first_name?: string
  last_name?: string
  /**
   * The email has been verified
   */
  email_verified?: boolean
  /**
   * URL of a picture
   */
  avatar?: string | null
  full_name?: string
  last_seen?: string | null
  organizations?: {
    slug: string
    role?: 'owner' | 'admin' | 'lecturer' | 'learner'
  }[]
  /**
   * Id of the audit or sweep that made it
   */
  run?: string
  created_at?: string
  sequence?: number
}
/**
 * Body of `updateUser`
 */
interface UpdateUserBody {
  email?: string
  first_name?: string
  last_name?: string
  /**
   * The email has been verified
   */
  email_verified?: boolean
  /**
   * URL of a picture
   */
  avatar?: string | null
}
/**
 * An app, with its versions
 */
interface App {
  /**
   * The manifest's id
   */
  id: string
  client_id: string
  name: string
  /**
   * By semver precedence, the newest last
   */
  versions: {
    version: string
    manifest: Manifest
    pushed_at: string
  }[]
}
/**
 * The manifest of an app version
 */
interface Manifest {
  id: string
  name: string
  version: string
  description?: string
  permissions?: (Permission | { permission: Permission; purpose?: string })[]
  oauth?: {
    install?: true
    authorize?: {
      /**
       * @minItems 1
       */
      redirect_uris: string[]
      [k: string]: unknown
    }
    [k: string]: unknown
  }
  webhook?: {
    url: string
    events?: EventType[]
    [k: string]: unknown
  }
  post_install_action?: {
    type?: string
    url: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Body of `createApp`
 */
interface CreateAppBody {
  manifest: Manifest
  /**
   * Client id; generated when left out
   */
  client_id?: string
  /**
   * Client secret; generated when left out
   */
  client_secret?: string
  /**
   * Signing secret; generated when left out
   */
  signing_secret?: string
}
/**
 * A new app, with its secrets
 */
interface CreatedApp {
  /**
   * The manifest's id
   */
  id: string
  client_id: string
  name: string
  /**
   * By semver precedence, the newest last
   */
  versions: {
    version: string
    manifest: Manifest
    pushed_at: string
  }[]
  client_secret: string
  signing_secret: string
  /**
   * Unknown members, and values that the platform would reject; omitted when there are none
   */
  warnings?: {
    path: string
    message: string
  }[]
}
/**
 * The client secret and the signing secret of an app
 */
interface AppSecrets {
  client_secret: string
  signing_secret: string
}
/**
 * An app after a push
 */
interface PushedApp {
  /**
   * The manifest's id
   */
  id: string
  client_id: string
  name: string
  /**
   * By semver precedence, the newest last
   */
  versions: {
    version: string
    manifest: Manifest
    pushed_at: string
  }[]
  /**
   * Unknown members, and values that the platform would reject; omitted when there are none
   */
  warnings?: {
    path: string
    message: string
  }[]
}
/**
 * Query parameters of `listInstallations`
 */
interface ListInstallationsQuery {
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * State of the installation
   */
  state?: 'installed' | 'uninstalling' | 'uninstalled' | 'upgraded'
}
/**
 * Body of `install`
 */
interface InstallBody {
  /**
   * Manifest id or client id
   */
  app: string
  /**
   * Slug
   */
  organization: string
  /**
   * A user's id or email; the first owner when left out
   */
  installer?: string
  /**
   * Version; the newest when left out
   */
  version?: string
  /**
   * Send the webhook app.installed
   */
  announce?: boolean
}
/**
 * An installation that was just made or upgraded, with its tokens and its webhook
 */
interface InstalledApp {
  installation: Installation
  /**
   * Null when the manifest has no webhook
   */
  delivery: Delivery | null
  /**
   * Null when the manifest has no post_install_action
   */
  redirect_url: string | null
  /**
   * Null when the manifest has no oauth.install
   */
  credentials: Credentials | null
}
/**
 * An installation that was just removed, with its webhook
 */
interface UninstalledApp {
  installation: Installation
  delivery: Delivery | null
}
/**
 * Query parameters of `listTokens`
 */
interface ListTokensQuery {
  /**
   * Access or refresh token
   */
  kind?: 'access' | 'refresh'
  /**
   * An installation's token, or a user's
   */
  grant?: 'install' | 'authorize'
  /**
   * Installation id
   */
  installation?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * User id or email
   */
  user?: string
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * State of the token
   */
  state?: 'active' | 'expired' | 'revoked' | 'rotated'
}
/**
 * An access or refresh token, without its secret
 */
interface Token {
  id: string
  kind: 'access' | 'refresh'
  grant: 'install' | 'authorize'
  app: string
  organization: string
  installation: string
  user: string | null
  scope: string
  state: 'active' | 'expired' | 'revoked' | 'rotated'
  issued_at: string
  expires_at: string
  last_four: string
}
/**
 * Body of `mintTokens`
 */
interface MintTokensBody {
  /**
   * Manifest id or client id
   */
  app: string
  /**
   * Slug
   */
  organization: string
  /**
   * Separated by spaces; all that can be granted when left out
   */
  scope?: string
  /**
   * User id or email: mints a user's tokens, else the installation's
   */
  user?: string
  /**
   * Lifetime of the access token: "10m"
   */
  ttl?: Duration
}
/**
 * A new pair of tokens, with their secrets
 */
interface TokenPair {
  token_type: 'Bearer'
  expires_in: number
  access_token: string
  refresh_token: string
  scope: string
}
/**
 * Tokens by filters, one by its secret, or all of them
 */
interface TokenSelection {
  /**
   * Kind of token; when left out, `access` to expire and `all` to revoke
   */
  kind?: 'access' | 'refresh' | 'all'
  /**
   * An installation's token, or a user's
   */
  grant?: 'install' | 'authorize'
  /**
   * Installation id
   */
  installation?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * User id or email
   */
  user?: string
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * State of the token
   */
  state?: 'active' | 'expired' | 'revoked' | 'rotated'
  /**
   * The secret of one token, of either kind
   */
  token?: string
  /**
   * Tokens of every app and organization; with no filter but kind
   */
  all?: true
}
/**
 * The number of tokens that have ended, in all and of each kind
 */
interface EndedTokens {
  affected: number
  /**
   * Access tokens among them
   */
  access: number
  refresh: number
}
/**
 * A session of a user in the web application
 */
interface Session {
  id: string
  user: string
  created_at: string
  ambient: boolean
}
/**
 * A new session: its cookie and its user
 */
interface SignedIn {
  cookie: {
    name: string
    value: string
  }
  user: string
}
/**
 * Body of `setSilentAuth`
 */
interface SetSilentAuthBody {
  outcome:
    | 'login_required'
    | 'interaction_required'
    | 'consent_required'
    | 'invalid_scope'
    | 'server_error'
    | 'temporarily_unavailable'
  /**
   * Manifest id or client id; any when left out
   */
  app?: string
  /**
   * Slug; any when left out
   */
  organization?: string
  /**
   * User id or email; any when left out
   */
  user?: string
  /**
   * Number of requests; no limit when left out
   */
  times?: number
}
/**
 * A response that the next silent sign-ins receive
 */
interface SilentAuth {
  id: string
  outcome:
    | 'login_required'
    | 'interaction_required'
    | 'consent_required'
    | 'invalid_scope'
    | 'server_error'
    | 'temporarily_unavailable'
  app: string | null
  organization: string | null
  user: string | null
  /**
   * Remaining requests; null: no limit
   */
  times: number | null
  created_at: string
}
/**
 * Body of `rotateKeys`
 */
interface RotateKeysBody {
  /**
   * Remove every earlier key from the JWKS
   */
  retire?: boolean
  /**
   * Publish the key now, and sign with it after this time: "1h"
   */
  after?: Duration
}
/**
 * A rotation of the signing keys
 */
interface Rotation {
  /**
   * The key id of the new key
   */
  kid: string
  /**
   * The key ids that the JWKS no longer has
   */
  retired: string[]
}
/**
 * A fault, and how often it has fired
 */
interface Fault {
  id: string
  match: FaultMatch
  effect: FaultEffect
  phase: 'before' | 'after'
  /**
   * Number of times it fires; null: no limit
   */
  times: number | null
  after: number
  probability: number
  expires_at: string | null
  hits: number
  /**
   * Number of times left; null: no limit
   */
  left: number | null
  created_at: string
}
/**
 * The liberties that the emulator takes, and how often it has taken them
 */
interface Liberties {
  /**
   * Null when none are taken
   */
  seed: string | null
  /**
   * Kinds and ids; a leading `-` excludes one
   */
  kinds: string[]
  /**
   * Exchanges and events that met each, since the last reset
   */
  taken: {
    [k: string]: number
  }
}
/**
 * Body of `setLiberties`
 */
interface SetLibertiesBody {
  /**
   * Any text; empty or null: none
   */
  seed: string | null
  /**
   * `shape`, `weather`, `future` or ids; by default those of the setting
   */
  kinds?: string | string[]
}
/**
 * Query parameters of `listDeliveries`
 */
interface ListDeliveriesQuery {
  /**
   * Type of the event
   */
  event?: string
  /**
   * Installation id
   */
  installation?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * State of the delivery
   */
  state?: 'pending' | 'acknowledged' | 'retrying' | 'failed' | 'dropped'
  /**
   * Id of an audit or sweep, or `any`; none when left out
   */
  run?: string
  /**
   * Name of a mark
   */
  mark?: string
}
/**
 * Query parameters of `deliveriesSettled`
 */
interface DeliveriesSettledQuery {
  /**
   * Maximum real time to wait: "10s"
   */
  timeout?: Duration
  /**
   * Real time that passes first, for what apps do after they have acknowledged an event: "2s"
   */
  background?: Duration
  /**
   * Slug
   */
  organization?: string
}
/**
 * Result of `deliveriesSettled`
 */
interface DeliveriesSettledResult {
  settled: boolean
  waiting?: string[]
}
/**
 * Body of `sendEvent`
 */
interface SendEventBody {
  type: EventType
  /**
   * Id
   */
  installation: string
  /**
   * Data of the event
   */
  data: {
    [k: string]: unknown
  }
}
/**
 * Query parameters of `readInbox`
 */
interface ReadInboxQuery {
  /**
   * Type of the event
   */
  event?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * Maximum real time to wait for one
   */
  wait?: Duration
}
/**
 * A webhook that an inbox received
 */
interface InboxEntry {
  at: string
  /**
   * Its type
   */
  event: string | null
  headers: {
    [k: string]: string
  }
  body: unknown
  /**
   * The body as received
   */
  raw: string
  /**
   * True when the signature is valid for an app's signing secret
   */
  verified: boolean
  app: string | null
  /**
   * Slug: that of the installation which the body names
   */
  organization: string | null
}
/**
 * Body of `setInbox`
 */
interface SetInboxBody {
  status?: number
  /**
   * Delay of the response, in real time
   */
  delay?: Duration
  headers?: {
    [k: string]: string
  }
}
/**
 * An inbox, with its response to each webhook
 */
interface Inbox {
  name: string
  status: number
  delay: number
  headers: {
    [k: string]: string
  }
}
/**
 * Query parameters of `listRequests`
 */
interface ListRequestsQuery {
  /**
   * Surface that received it; `webhook` for outgoing webhooks
   */
  surface?: 'api' | 'oauth' | 'web' | 'admin' | 'inbox' | 'webhook'
  /**
   * HTTP method
   */
  method?: string
  /**
   * Path, with `*` for any text
   */
  path?: string
  /**
   * HTTP status
   */
  status?: number
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * Id of an audit or sweep, or `any`; none when left out
   */
  run?: string
  /**
   * Name of a mark
   */
  mark?: string
  /**
   * Id of a trace (W3C Trace Context)
   */
  trace?: string
  /**
   * Only entries since this ISO 8601 date-time, or after the entry with this id
   */
  since?: number | string
  /**
   * Maximum number of entries; keeps the newest
   */
  limit?: number
}
/**
 * An exchange: a request and its response
 */
interface JournalEntry {
  id: number
  at: string
  surface: 'api' | 'oauth' | 'web' | 'admin' | 'inbox' | 'webhook'
  method: string
  path: string
  query: {
    [k: string]: string
  }
  /**
   * The query as sent, if it repeats a parameter
   */
  search?: string
  status: number | null
  /**
   * Real milliseconds; 0 with a seed while the clock is stopped
   */
  duration: number
  app: string | null
  organization: string | null
  user: string | null
  /**
   * Present when a step of a scenario sent it, not the app
   */
  sender?: 'scenario'
  /**
   * Id of the audit or sweep that caused it; omitted otherwise
   */
  run?: string
  /**
   * Name of the test or step that was marked when it ended; omitted otherwise
   */
  mark?: string
  /**
   * Trace ID from `traceparent`; omitted without one
   */
  trace_id?: string
  /**
   * The sender's span in that trace
   */
  span_id?: string
  reason: string | null
  fault: string | null
  /**
   * Rules of the findings that cite the entry; left out when there are none
   */
  findings?: string[]
  /**
   * The liberties that it met; left out when there are none
   */
  liberties?: string[]
  warnings: {
    code: string
    path: string
    message: string
  }[]
  request: {
    headers: {
      [k: string]: string
    }
    body: unknown
    /**
     * Bytes of the whole body, of which the first 64 KB are kept when it is text
     */
    length: number
  }
  response: {
    headers: {
      [k: string]: string
    }
    body: unknown
    /**
     * Bytes of the whole body, of which the first 64 KB are kept when it is text
     */
    length: number
  }
}
/**
 * Query parameters of `countRequests`
 */
interface CountRequestsQuery {
  /**
   * Surface that received it; `webhook` for outgoing webhooks
   */
  surface?: 'api' | 'oauth' | 'web' | 'admin' | 'inbox' | 'webhook'
  /**
   * HTTP method
   */
  method?: string
  /**
   * Path, with `*` for any text
   */
  path?: string
  /**
   * HTTP status
   */
  status?: number
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * Id of an audit or sweep, or `any`; none when left out
   */
  run?: string
  /**
   * Name of a mark
   */
  mark?: string
  /**
   * Id of a trace (W3C Trace Context)
   */
  trace?: string
  /**
   * Only entries since this ISO 8601 date-time, or after the entry with this id
   */
  since?: number | string
  /**
   * Maximum number of entries; keeps the newest
   */
  limit?: number
}
/**
 * Result of `countRequests`
 */
interface CountRequestsResult {
  count: number
}
/**
 * The number of records that a call affected
 */
interface Affected {
  affected: number
}
/**
 * Further fields of `mark`
 */
interface MarkOptions {
  kind?: 'test' | 'step'
  state?: 'begin' | 'passed' | 'failed'
  /**
   * Slug: mark this organization only, for tests that run side by side
   */
  organization?: string
}
/**
 * A line in the journal, such as the beginning of a test
 */
interface Mark {
  name: string
  kind: string
  state: string
  organization?: string
  at: string
}
/**
 * Query parameters of `listFindings`
 */
interface ListFindingsQuery {
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * Name of a rule
   */
  rule?:
    | 'early_refresh'
    | 'refresh_reuse'
    | 'concurrent_refresh'
    | 'dead_refresh'
    | 'retry_without_refresh'
    | 'hopeless_retry'
    | 'wrong_kind_of_token'
    | 'token_in_url'
    | 'call_after_uninstall'
    | 'code_reuse'
    | 'state_reuse'
    | 'unverified_signature'
    | 'rejected_valid_event'
    | 'ignored_rate_limit'
    | 'slow_acknowledgement'
    | 'slow_webhook_work'
    | 'uncached_keys'
    | 'stale_keys'
    | 'unread_pages'
    | 'polling'
    | 'unknown_fields'
    | 'weak_state'
    | 'no_pkce'
    | 'no_nonce'
    | 'unredeemed_code'
    | 'unused_scope'
  /**
   * Level: error or hint
   */
  level?: 'error' | 'hint'
  /**
   * Id of an audit or sweep, or `any`; none when left out
   */
  run?: string
  /**
   * Name of a mark
   */
  mark?: string
}
/**
 * A rule that an app broke, and the exchanges that show it
 */
interface Finding {
  rule:
    | 'early_refresh'
    | 'refresh_reuse'
    | 'concurrent_refresh'
    | 'dead_refresh'
    | 'retry_without_refresh'
    | 'hopeless_retry'
    | 'wrong_kind_of_token'
    | 'token_in_url'
    | 'call_after_uninstall'
    | 'code_reuse'
    | 'state_reuse'
    | 'unverified_signature'
    | 'rejected_valid_event'
    | 'ignored_rate_limit'
    | 'slow_acknowledgement'
    | 'slow_webhook_work'
    | 'uncached_keys'
    | 'stale_keys'
    | 'unread_pages'
    | 'polling'
    | 'unknown_fields'
    | 'weak_state'
    | 'no_pkce'
    | 'no_nonce'
    | 'unredeemed_code'
    | 'unused_scope'
  /**
   * An error is certain and forbidden; a hint is practice or a threshold
   */
  level: 'error' | 'hint'
  /**
   * Section that the rule comes from
   */
  section: string
  /**
   * The page that teaches the rule, with a wrong and a right example
   */
  docs: string
  /**
   * The manifest id
   */
  app: string | null
  /**
   * Null when it was in several
   */
  organization: string | null
  count: number
  first_at: string
  last_at: string
  /**
   * The latest observation, and what to do instead
   */
  message: string
  /**
   * Ids of journal entries, the newest last
   */
  entries: number[]
  /**
   * The run of an audit or a sweep that caused it
   */
  run?: string
}
/**
 * Query parameters of `getCoverage`
 */
interface GetCoverageQuery {
  /**
   * Manifest id or client id; the first app when left out
   */
  app?: string
  /**
   * Counts only from this ISO 8601 date-time, or after the entry with this id
   */
  since?: number | string
  /**
   * Name of a mark
   */
  mark?: string
}
/**
 * The platform's behaviors that an app has met, by group, and the share of them
 */
interface Coverage {
  /**
   * The manifest id
   */
  app: string
  /**
   * Met of countable cells, from 0 to 1
   */
  figure: number
  met: number
  countable: number
  groups: {
    group: string
    /**
     * Met of countable cells, from 0 to 1
     */
    figure: number
    met: number
    countable: number
    rows: {
      row: string
      cells: {
        column: string
        met: boolean
        /**
         * Times that the app met it
         */
        count: number
        /**
         * Times that an audit, a sweep or a scenario met it for the app
         */
        by_audit: number
        /**
         * Id of the newest journal entry that met it
         */
        entry: number | null
        /**
         * The line after which the app meets it; null where it is met
         */
        closes: string | null
      }[]
    }[]
  }[]
}
/**
 * Query parameters of `listGaps`
 */
interface ListGapsQuery {
  /**
   * Manifest id or client id; the first app when left out
   */
  app?: string
  /**
   * Counts only from this ISO 8601 date-time, or after the entry with this id
   */
  since?: number | string
  /**
   * Name of a mark
   */
  mark?: string
}
/**
 * A behavior that an app has not met, and what closes the gap
 */
interface CoverageGap {
  group: string
  row: string
  column: string
  closes: string
  /**
   * Null if no scenario can do the same
   */
  scenario: {
    title: string
    from: 'start'
    steps: ScenarioStep[]
  } | null
}
/**
 * What the command prints with `--json`
 */
interface Report {
  /**
   * The manifest id
   */
  app: string
  passed: boolean
  [k: string]: unknown
}
/**
 * Steps to run in order, up to the first that fails
 */
interface Scenario {
  $schema?: string
  title?: string
  /**
   * start (the default): as after a reset, then restore the present world. current: continue from it and keep the changes
   */
  from?: 'start' | 'current'
  /**
   * Redact secrets in results
   */
  redact?: boolean
  steps: ScenarioStep[]
}
/**
 * Result of a scenario
 */
interface ScenarioResult {
  passed: boolean
  /**
   * Steps that ran, up to the first that failed
   */
  steps: ScenarioStepResult[]
}
/**
 * Result of a step of a scenario
 */
interface ScenarioStepResult {
  index: number
  name: string | null
  step:
    | 'install'
    | 'upgrade'
    | 'uninstall'
    | 'push'
    | 'organization'
    | 'user'
    | 'member'
    | 'fixtures'
    | 'advance'
    | 'freeze'
    | 'resume'
    | 'expire'
    | 'revoke'
    | 'mint'
    | 'sign_in'
    | 'ambient'
    | 'silent_auth'
    | 'rotate_keys'
    | 'fault'
    | 'clear_faults'
    | 'event'
    | 'redeliver'
    | 'inbox'
    | 'settle'
    | 'reset'
    | 'snapshot'
    | 'restore'
    | 'request'
    | 'visit'
    | 'mark'
    | 'expect_delivery'
    | 'expect_requests'
    | 'expect_findings'
  ok: boolean
  /**
   * Real milliseconds; 0 with a seed while the clock is stopped
   */
  ms: number
  result?: unknown
  error?: {
    /**
     * The expected and the actual value, in a sentence
     */
    message: string
    mismatches: {
      path: string
      expected: unknown
      got?: unknown
    }[]
    /**
     * Ids of the journal entries since the step before
     */
    entries: number[]
  }
}
/**
 * Result of `startRecording`
 */
interface StartRecordingResult {
  /**
   * The time on the emulator's clock
   */
  since: string
}
/**
 * A scenario made of what was recorded
 */
interface Recording {
  scenario: Scenario
  /**
   * Requests left out of the steps, because they cannot be repeated without their secrets
   */
  left_out: {
    /**
     * Index of the step that it preceded
     */
    before: number
    request: string
    why: string
  }[]
}
/**
 * Result of `adminDocument`
 */
interface AdminDocumentResult {
  [k: string]: unknown
}
/**
 * The exchanges that a fault matches
 */
interface FaultMatch {
  surface?: 'api' | 'oauth' | 'webhook' | 'id_token'
  /**
   * HTTP method
   */
  method?: string
  /**
   * Path, with `*` for any text
   */
  path?: string
  /**
   * Manifest id or client id
   */
  app?: string
  /**
   * Slug
   */
  organization?: string
  /**
   * Type of the webhook event, with `*` for any text
   */
  event?: string
  /**
   * Grant type of a token request
   */
  grant_type?: string
}
/**
 * An effect on `api` that has no name
 */
interface ApiEffectParts {
  status?: number
  headers?: {
    [k: string]: string
  }
  body?: unknown
  delay?: Duration
  jitter?: Duration
  connection?: 'reset' | 'hang' | 'truncate' | 'empty'
  hold?: number
  /**
   * Fields to merge into the real response's body, object by object
   */
  merge?: {
    [k: string]: unknown
  }
  /**
   * Fields to omit from the real response's body: dotted paths, `*` for every item
   *
   * @minItems 1
   */
  omit?: string[]
}
/**
 * An effect on `oauth` that has no name
 */
interface OauthEffectParts {
  status?: number
  headers?: {
    [k: string]: string
  }
  body?: unknown
  delay?: Duration
  jitter?: Duration
  connection?: 'reset' | 'hang' | 'truncate' | 'empty'
  hold?: number
  /**
   * Fields to merge into the real response's body, object by object
   */
  merge?: {
    [k: string]: unknown
  }
  /**
   * Fields to omit from the real response's body: dotted paths, `*` for every item
   *
   * @minItems 1
   */
  omit?: string[]
}
/**
 * An effect on `webhook` that has no name
 */
interface WebhookEffectParts {
  /**
   * Delay on the emulator's clock
   */
  delay?: Duration
  /**
   * Body to send instead of the event, with a valid signature
   */
  body?: string
  /**
   * Signature to send instead of the real one
   */
  signature?: string
}
/**
 * An effect on `id_token` that has no name
 */
interface IdTokenEffectParts {
  /**
   * Claims to merge into the real ones
   */
  claims?: {
    [k: string]: unknown
  }
  /**
   * Names of claims to omit
   *
   * @minItems 1
   */
  omit?: string[]
}
/**
 * The phase, the number and the probability of the exchanges that a fault affects
 */
interface FaultRules {
  /**
   * Before the request takes effect, or after
   */
  phase?: 'before' | 'after'
  /**
   * Number of times it fires; no limit when left out
   */
  times?: number
  /**
   * Number of matching requests that pass before it fires
   */
  after?: number
  /**
   * Probability that it fires for a matching request
   */
  probability?: number
  /**
   * Lifetime on the clock of the organization that it matches, or else on the emulator's: "1h"
   */
  expires_in?: Duration
}
/**
 * The fields that elements of all types have
 */
interface FixtureElementFields {
  id?: string
  type: string
  name: string
  content?: string | null
  metadata?: {
    [k: string]: string | number | boolean
  }
  properties?: unknown
  module?: string
  position?: number
  cover?: string | null
  updated_at?: string
  activities?: {
    id?: string
    member?: string
    /**
     * @minItems 1
     */
    members?: string[]
    timestamp?: string
    completed_by?: string | null
    status?: 'started' | 'submitted' | 'completed' | 'graded'
    passed?: boolean | null
    score?: number | null
    responses?: {
      question: string | null
      value: unknown
    }[]
    created_at?: string
    sequence?: number
  }[]
  created_at?: string
  sequence?: number
}
/**
 * Properties of an element of type `CONTENT`
 */
interface ContentProperties {}
/**
 * Properties of an element of type `VIDEO`
 */
interface VideoProperties {
  video_url?: string | null
  video_type?: ('URL' | 'SOURCE') | null
}
/**
 * Properties of an element of type `MEETING_PROVIDER_A`
 */
interface MeetingProviderAProperties {
  start_date?: string | null
  end_date?: string | null
  meeting_reports?: boolean | null
}
/**
 * Properties of an element of type `MEETING_LINK`
 */
interface MeetingLinkProperties {
  meeting_url?: string | null
  start_date?: string | null
  end_date?: string | null
}
/**
 * Properties of an element of type `QUIZ`
 */
interface QuizProperties {
  passing_score?: number | null
  completion_trigger?: ('on_pass' | 'on_submit') | null
  questions?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        text: string
        shuffle?: boolean
        require_all_correct?: boolean
        /**
         * @minItems 1
         */
        answers: {
          /**
           * Kept when given, else generated; printable characters only
           */
          id?: string
          text: string
          is_correct: boolean
        }[]
      }[]
    | null
}
/**
 * Properties of an element of type `SUBMISSION`
 */
interface SubmissionProperties {
  questions?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        text: string
        accept_text?: boolean
        text_required?: boolean
        accept_file?: boolean
        file_required?: boolean
        file_multiple?: boolean
      }[]
    | null
}
/**
 * Properties of an element of type `GROUP_SUBMISSION`
 */
interface GroupSubmissionProperties {
  questions?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        text: string
        accept_text?: boolean
        text_required?: boolean
        accept_file?: boolean
        file_required?: boolean
        file_multiple?: boolean
      }[]
    | null
}
/**
 * Properties of an element of type `EMBED`
 */
interface EmbedProperties {
  embed?: string | null
}
/**
 * Properties of an element of type `SURVEY`
 */
interface SurveyProperties {
  questions?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        text: string
        /**
         * @minItems 2
         */
        options: {
          /**
           * Kept when given, else generated; printable characters only
           */
          id?: string
          text: string
        }[]
      }[]
    | null
}
/**
 * Properties of an element of type `SCORM`
 */
interface ScormProperties {
  scorm_url?: string | null
  scorm_user_identifier?: ('user_id' | 'user_email') | null
}
/**
 * Properties of an element of type `CERTIFICATE`
 */
interface CertificateProperties {
  certificate_title?: string | null
  certificate_description?: string | null
  certificate_course_name?: string | null
  certificate_issued_by?: string | null
}
/**
 * Properties of an element of type `TAG`
 */
interface TagProperties {}
/**
 * Properties of an element of type `PARTNER_LEARNING`
 */
interface PartnerLearningProperties {}
/**
 * Properties of an element of type `SELF_REVIEW`
 */
interface SelfReviewProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `PEER_REVIEW`
 */
interface PeerReviewProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `FEEDBACK_REFLECTION`
 */
interface FeedbackReflectionProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `INSTRUCTOR_REVIEW`
 */
interface InstructorReviewProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `INSTRUCTOR_DISCUSSION`
 */
interface InstructorDiscussionProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
}
/**
 * Properties of an element of type `AI_REVIEW`
 */
interface AiReviewProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `CHECKLIST`
 */
interface ChecklistProperties {
  questions?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        text: string
      }[]
    | null
}
/**
 * Properties of an element of type `DISCUSSION`
 */
interface DiscussionProperties {
  restrict_posts_to?: ('everyone' | 'lecturers') | null
  completion_rules?: {
    operator?: 'AND' | 'OR'
    /**
     * @minItems 1
     */
    rules: {
      type: 'POST' | 'COMMENT'
      count: number
    }[]
  } | null
}
/**
 * Properties of an element of type `FILE`
 */
interface FileProperties {
  file_url?: string | null
}
/**
 * Properties of an element of type `GROUP_FORMATION`
 */
interface GroupFormationProperties {
  min_members?: number | null
  max_members?: number | null
  restrict_group_creation_to?: ('everyone' | 'lecturers') | null
  group_threads_enabled?: boolean | null
}
/**
 * Properties of an element of type `FORM`
 */
interface FormProperties {
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number
            range_max?: number
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'MULTIPLE_CHOICE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              /**
               * Kept when given, else generated; printable characters only
               */
              id?: string
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'STACK_RANK'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              /**
               * Kept when given, else generated; printable characters only
               */
              id?: string
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `SCORE`
 */
interface ScoreProperties {
  passing_score?: number | null
  passing_score_comparator?:
    | ('greater_than' | 'greater_than_or_equal' | 'equal_to' | 'less_than' | 'less_than_or_equal')
    | null
  incomplete_inputs_handling?: ('ignore' | 'score_as_zero') | null
  inputs?:
    | {
        /**
         * Kept when given, else generated; printable characters only
         */
        id?: string
        element: string
        weight?: number
        scored_via?: string | null
      }[]
    | null
}
/**
 * Properties of an element of type `GROUP_PEER_REVIEW`
 */
interface GroupPeerReviewProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `GROUP_FEEDBACK_REFLECTION`
 */
interface GroupFeedbackReflectionProperties {
  source?: {
    id: string
    type?: unknown
    name?: unknown
  } | null
  questions?:
    | (
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT'
            text: string
            optional?: boolean
            min_words?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'TEXT_SCALE'
            text: string
            optional?: boolean
            /**
             * @minItems 1
             */
            options: {
              text: string
            }[]
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'NUMBER_SCALE'
            text: string
            optional?: boolean
            range_min?: number | null
            range_max?: number | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'YES_NO'
            text: string
            optional?: boolean
            yes_text?: string | null
            no_text?: string | null
          }
        | {
            /**
             * Kept when given, else generated; printable characters only
             */
            id?: string
            type: 'INFO_BOX'
            text: string
            optional?: boolean
          }
      )[]
    | null
}
/**
 * Properties of an element of type `MEETING_PROVIDER_B`
 */
interface MeetingProviderBProperties {
  start_date?: string | null
  end_date?: string | null
  meeting_reports?: boolean | null
}
/**
 * The fields that steps of all kinds have
 */
interface ScenarioStepFields {
  /**
   * Name by which later steps refer to it
   */
  name?: string
  /**
   * Description of the step
   */
  title?: string
  expect?: {
    /**
     * null: no response
     */
    status?: number | null
    /**
     * Part of the body or result; may contain matchers
     */
    body?: unknown
    headers?: {
      [k: string]: unknown
    }
  }
}
/**
 * Body of the step `install`
 */
interface InstallStep {
  /**
   * Manifest id or client id
   */
  app: string
  /**
   * Slug
   */
  organization: string
  /**
   * A user's id or email; the first owner when left out
   */
  installer?: string
  /**
   * Version; the newest when left out
   */
  version?: string
  /**
   * Send the webhook app.installed
   */
  announce?: boolean
}
/**
 * Body of the step `upgrade`
 */
interface UpgradeStep {
  /**
   * Its id
   */
  installation?: string
  /**
   * Instead of installation, with organization: manifest id or client id
   */
  app?: string
  organization?: string
  /**
   * Version; the newest when left out
   */
  version?: string
}
/**
 * Body of the step `uninstall`
 */
interface UninstallStep {
  /**
   * Its id
   */
  installation?: string
  /**
   * Instead of installation, with organization: manifest id or client id
   */
  app?: string
  organization?: string
}
/**
 * Body of the step `organization`
 */
interface OrganizationStep {
  slug: string
  name: string
}
/**
 * Body of the step `member`
 */
interface MemberStep {
  organization: string
  /**
   * An id or an email
   */
  user: string
  role: 'owner' | 'admin' | 'lecturer' | 'learner'
}
/**
 * Body of the step `advance`
 */
interface AdvanceStep {
  /**
   * Milliseconds, or "90s", "1h", "30d"
   */
  by: Duration
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * Body of the step `freeze`
 */
interface FreezeStep {
  /**
   * An ISO 8601 date-time; the current time when left out
   */
  at?: string
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * Body of the step `resume`
 */
interface ResumeStep {
  /**
   * Slug: moves its clock alone
   */
  organization?: string
}
/**
 * Body of the step `mint`
 */
interface MintStep {
  /**
   * Manifest id or client id
   */
  app: string
  /**
   * Slug
   */
  organization: string
  /**
   * Separated by spaces; all that can be granted when left out
   */
  scope?: string
  /**
   * User id or email: mints a user's tokens, else the installation's
   */
  user?: string
  /**
   * Lifetime of the access token: "10m"
   */
  ttl?: Duration
}
/**
 * Body of the step `sign_in`
 */
interface SignInStep {
  /**
   * User id or email
   */
  user: string
}
/**
 * Body of the step `ambient`
 */
interface AmbientStep {
  /**
   * User id or email
   */
  user: string
}
/**
 * Body of the step `silent_auth`
 */
interface SilentAuthStep {
  outcome:
    | 'login_required'
    | 'interaction_required'
    | 'consent_required'
    | 'invalid_scope'
    | 'server_error'
    | 'temporarily_unavailable'
  /**
   * Manifest id or client id; any when left out
   */
  app?: string
  /**
   * Slug; any when left out
   */
  organization?: string
  /**
   * User id or email; any when left out
   */
  user?: string
  /**
   * Number of requests; no limit when left out
   */
  times?: number
}
/**
 * Body of the step `rotate_keys`
 */
interface RotateKeysStep {
  /**
   * Remove every earlier key from the JWKS
   */
  retire?: boolean
  /**
   * Publish the key now, and sign with it after this time: "1h"
   */
  after?: Duration
}
/**
 * Body of the step `clear_faults`
 */
interface ClearFaultsStep {}
/**
 * Body of the step `event`
 */
interface EventStep {
  /**
   * Its id
   */
  installation?: string
  /**
   * Instead of installation, with organization: manifest id or client id
   */
  app?: string
  organization?: string
  type: string
  data: {
    [k: string]: unknown
  }
}
/**
 * Body of the step `redeliver`
 */
interface RedeliverStep {
  /**
   * Its id
   */
  delivery: string
}
/**
 * Body of the step `inbox`
 */
interface InboxStep {
  name: string
  status?: number
  /**
   * Delay of the response, in real time
   */
  delay?: Duration
  headers?: {
    [k: string]: string
  }
}
/**
 * Body of the step `settle`
 */
interface SettleStep {
  /**
   * 5 s when left out
   */
  timeout?: Duration
  /**
   * Real time that passes first, for apps that acknowledge and work later
   */
  background?: Duration
}
/**
 * Body of the step `reset`
 */
interface ResetStep {}
/**
 * Body of the step `snapshot`
 */
interface SnapshotStep {
  name: string
}
/**
 * Body of the step `restore`
 */
interface RestoreStep {
  name: string
}
/**
 * Body of the step `request`
 */
interface RequestStep {
  /**
   * GET, or POST with a body, when left out
   */
  method?: string
  /**
   * Path at the emulator, with its query
   */
  path: string
  headers?: {
    [k: string]: string
  }
  /**
   * Text is sent unchanged; anything else as JSON, or as a form when the content type is that of forms
   */
  body?: unknown
  /**
   * The slug of the organization whose API key is sent
   */
  as?: string
}
/**
 * Body of the step `visit`
 */
interface VisitStep {
  /**
   * An http or https URL; with app, a path
   */
  url: string
  /**
   * App whose webhook address the path belongs to
   */
  app?: string
  /**
   * GET, or POST with a body, when left out
   */
  method?: string
  headers?: {
    [k: string]: string
  }
  /**
   * Text is sent unchanged; anything else as JSON, or as a form when the content type is that of forms
   */
  body?: unknown
  /**
   * Requests sent side by side; `expect` is about each of them
   */
  at_once?: number
  /**
   * Maximum real time in which it is repeated until `expect` holds
   */
  within?: Duration
}
/**
 * Body of the step `mark`
 */
interface MarkStep {}
/**
 * Body of the step `expect_delivery`
 */
interface ExpectDeliveryStep {
  /**
   * The type of the event
   */
  event: string
  /**
   * At least 1 when left out
   */
  count?:
    | number
    | {
        min?: number
        max?: number
      }
  state?: 'pending' | 'acknowledged' | 'retrying' | 'failed' | 'dropped'
  /**
   * Maximum real time to wait: for the minimum; with a maximum or an exact number, until everything has settled
   */
  within?: Duration
}
/**
 * Body of the step `expect_requests`
 */
interface ExpectRequestsStep {
  /**
   * api, oauth and web when left out
   */
  surface?: 'api' | 'oauth' | 'web' | 'admin' | 'inbox' | 'webhook'
  method?: string
  /**
   * Path, with `*` for any text
   */
  path?: string
  /**
   * null: no response
   */
  status?: number | null
  app?: string
  organization?: string
  count:
    | number
    | {
        min?: number
        max?: number
      }
  /**
   * Maximum real time to wait: for the minimum; with a maximum or an exact number, until everything has settled
   */
  within?: Duration
}
/**
 * The file of an audit.
 * @example
 * const value: AuditFileInput = { app: 'notes', start: 'http://localhost:3000/login' }
 */
interface AuditFileInput {
  $schema?: string
  /**
   * Manifest id or client id; webhook, callback and scopes come from the manifest
   */
  app: string
  /**
   * URL that starts the sign-in; {organization} becomes the slug of the organization of the person
   */
  start?: string
  /**
   * Shows who is signed in
   */
  whoami?: {
    url: string
    signed_in: {
      status: number | number[]
      /**
       * JSON pointer to the ID of the account, such as "/sub"
       */
      user: string
    }
    signed_out: {
      status: number | number[]
    }
  }
  /**
   * GET makes the app call /v0 for that organization
   */
  probe?: {
    url: string
    ok?: {
      status: number | number[]
    }
    not_installed?: {
      status: number | number[]
    }
    headers?: {
      [k: string]: string
    }
    /**
     * Sends the cookies of a sign-in as that organization's owner, to `list` too; without it, no cookies
     */
    as?: 'signed_in'
  }
  /**
   * GET returns every element (course, member) of that organization
   */
  list?: {
    url: string
    /**
     * JSON pointer to a number or an array; "/length" after an array is its length
     */
    count: string
    /**
     * The records that it lists
     */
    of?: 'elements' | 'courses' | 'members'
    headers?: {
      [k: string]: string
    }
  }
  /**
   * Ends the session
   */
  logout?: {
    url: string
    method?: 'GET' | 'POST' | 'DELETE'
  }
  /**
   * Files and folders in which the app stores data; searched for tokens in clear text
   *
   * @minItems 1
   */
  data?: string[]
  /**
   * Shell command that restarts the app
   */
  restart?: string
  /**
   * Log files of the app; searched for the secrets of the run
   *
   * @minItems 1
   */
  logs?: string[]
  /**
   * How long background work may take after an acknowledgement
   */
  background?: Duration
  /**
   * Known failures by ID of a check or a case of the sweep (`flow/point/trouble`), each with its reason
   */
  accept?: {
    [k: string]: string
  }
}
/**
 * The settings of an emulator; durations are milliseconds
 */
interface Settings {
  /**
   * Port to listen on; 0 for any free one
   */
  port: number
  /**
   * Address to listen on
   */
  host: string
  /**
   * Serve HTTPS with a certificate of the local authority
   */
  https: boolean
  /**
   * Origin of the web application and the OAuth endpoints, and the issuer; the emulator's own address when left out
   */
  app_url?: string
  /**
   * Origin at which a browser reaches the emulator; app_url when left out
   */
  browser_url?: string
  /**
   * Hosts that webhooks may go to and that the control API may be called at
   */
  trust_hosts: string[]
  /**
   * Store file, or "memory" to keep nothing
   */
  store: string
  /**
   * Makes every id, token and random choice reproducible; the clock starts stopped
   */
  seed?: string | number
  /**
   * Time at which the clock starts, stopped
   */
  now?: string
  /**
   * Items per page of a list
   */
  page_size: number
  /**
   * Maximum requests per minute of the emulator's clock for each credential; no limit when left out
   */
  rate_limit?: number
  /**
   * Lifetime of access tokens
   */
  access_token_ttl: number
  /**
   * Lifetime of id_tokens
   */
  id_token_ttl: number
  /**
   * Lifetime of refresh tokens
   */
  refresh_token_ttl: number
  /**
   * Lifetime of authorization codes
   */
  code_ttl: number
  /**
   * Time an app has to acknowledge app.installed
   */
  ack_window: number
  /**
   * Time an app has to acknowledge any other webhook
   */
  attempt_timeout: number
  /**
   * Delays before the second, third … attempt of a webhook
   */
  retry_schedule: number[]
  /**
   * Prefix of the webhook headers
   */
  header_prefix: string
  /**
   * Let webhooks go to public addresses
   */
  allow_public_webhooks: boolean
  /**
   * PEM file of authorities to trust for https webhooks
   */
  webhook_ca?: string
  /**
   * Other names of element types on the wire
   */
  element_type_names: {
    [k: string]: string
  }
  /**
   * Bearer token that the control API requires
   */
  admin_token?: string
  /**
   * Maximum number of entries in the journal
   */
  journal_size: number
  /**
   * Record control calls in the journal too
   */
  journal_admin: boolean
  /**
   * Maximum number of ended tokens, codes, sessions and deliveries kept, each
   */
  retention: number
  /**
   * Seed for varying details that the platform does not document; off when empty or left out
   */
  liberties?: string | number
  /**
   * Kinds and ids of the liberties; a leading - excludes one
   */
  liberty_kinds: string | string[]
}
/**
 * Settings; durations are milliseconds or text such as `5m`.
 * @example
 * const value: SettingOptions = { pageSize: 20, ackWindow: '500ms' }
 */
interface SettingOptions {
  /**
   * Port to listen on; 0 for any free one
   */
  port?: number | undefined
  /**
   * Address to listen on
   */
  host?: string | undefined
  /**
   * Serve HTTPS with a certificate of the local authority
   */
  https?: boolean | undefined
  /**
   * Origin of the web application and the OAuth endpoints, and the issuer; the emulator's own address when left out
   */
  appUrl?: string | undefined
  /**
   * Origin at which a browser reaches the emulator; app_url when left out
   */
  browserUrl?: string | undefined
  /**
   * Hosts that webhooks may go to and that the control API may be called at
   */
  trustHosts?: string[] | undefined
  /**
   * Store file, or "memory" to keep nothing
   */
  store?: string | undefined
  /**
   * Makes every id, token and random choice reproducible; the clock starts stopped
   */
  seed?: (string | number) | undefined
  /**
   * Time at which the clock starts, stopped
   */
  now?: string | undefined
  /**
   * Items per page of a list
   */
  pageSize?: number | undefined
  /**
   * Maximum requests per minute of the emulator's clock for each credential; no limit when left out
   */
  rateLimit?: number | undefined
  /**
   * Lifetime of access tokens
   */
  accessTokenTtl?: Duration | undefined
  /**
   * Lifetime of id_tokens
   */
  idTokenTtl?: Duration | undefined
  /**
   * Lifetime of refresh tokens
   */
  refreshTokenTtl?: Duration | undefined
  /**
   * Lifetime of authorization codes
   */
  codeTtl?: Duration | undefined
  /**
   * Time an app has to acknowledge app.installed
   */
  ackWindow?: Duration | undefined
  /**
   * Time an app has to acknowledge any other webhook
   */
  attemptTimeout?: Duration | undefined
  /**
   * Delays before the second, third … attempt of a webhook
   */
  retrySchedule?: Duration[] | undefined
  /**
   * Prefix of the webhook headers
   */
  headerPrefix?: string | undefined
  /**
   * Let webhooks go to public addresses
   */
  allowPublicWebhooks?: boolean | undefined
  /**
   * PEM file of authorities to trust for https webhooks
   */
  webhookCa?: string | undefined
  /**
   * Other names of element types on the wire
   */
  elementTypeNames?:
    | {
        [k: string]: string
      }
    | undefined
  /**
   * Bearer token that the control API requires
   */
  adminToken?: string | undefined
  /**
   * Maximum number of entries in the journal
   */
  journalSize?: number | undefined
  /**
   * Record control calls in the journal too
   */
  journalAdmin?: boolean | undefined
  /**
   * Maximum number of ended tokens, codes, sessions and deliveries kept, each
   */
  retention?: number | undefined
  /**
   * Seed for varying details that the platform does not document; off when empty or left out
   */
  liberties?: (string | number) | undefined
  /**
   * Kinds and ids of the liberties; a leading - excludes one
   */
  libertyKinds?: (string | string[]) | undefined
}

/**
 * Base class of the errors of this package. `code` distinguishes its subclasses, also between two copies of the package.
 * @example
 * await startEmulator(options).catch((error) => {
 *   if (!(error instanceof MockademyError)) throw error
 *   console.error(error.code, error.message) // ERR_START Port 4600 is in use. …
 * })
 */
declare abstract class MockademyError extends Error {
  readonly name: string
  abstract readonly code: string
}

/**
 * An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted.
 * @example
 * await audit({ url, file: { app: 'none' } }) // AuditFailure: app: there is no app "none"
 */
declare class AuditFailure extends MockademyError {
  static readonly name: string
  readonly code = 'ERR_AUDIT'
}

/** The worst first. */
declare const severities: readonly ['critical', 'high', 'medium', 'low']
/** The severity of a failed check. */
type Severity = (typeof severities)[number]

/** Every status of a check in a report. */
declare const outcomes: ['pass', 'fail', 'warn', 'skip', 'inconclusive', 'accepted']
/** Result of a check. `accepted`: it failed and is listed under `accept`. */
type Outcome = (typeof outcomes)[number]
/** Result of a check, with what it takes to understand it. */
interface CheckResult {
  id: string
  title: string
  severity: Severity
  outcome: Outcome
  /** One sentence. */
  message: string
  /** True when it is listed under `accept`, but passes now; such an entry always fails the run. */
  stale?: true
  /** Id of the check whose failure explains this one; absent when it has a cause of its own. */
  follows_from?: string
  /** The request that shows it, as a curl line with secrets redacted. */
  sent: string | null
  /** The behavior of a good app. */
  expected: string
  /** The behavior of this app. */
  seen: string | null
  /** The rule. */
  source: string
  /** The fix. */
  remedy: string
  /** The page that teaches the check: `docs/checks.md#<id>`. */
  docs: string
  /** Ids of the journal entries that belong to it. */
  entries: number[]
}
/** Results of an audit. */
interface AuditReport {
  /** The app's manifest id. */
  app: string
  /** Nothing failed at or above `failOn`, and nothing was inconclusive. */
  passed: boolean
  summary: Record<Outcome, number>
  checks: CheckResult[]
}

/**
 * Options of `audit`.
 * @example
 * const options: AuditOptions = { url: 'http://127.0.0.1:4600', file: { app: 'notes' }, only: ['webhook.*'] }
 */
interface AuditOptions {
  /** Address of a running emulator. */
  url: string
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
  /** The audit's file: its path or its content. */
  file: AuditFileInput | string
  /** Folder for the paths in a file given by its content, and for its `restart`; the working folder when left out. */
  folder?: string | undefined
  /** Globs of check ids to run; every check when left out. */
  only?: string[]
  /** Globs of check ids not to run. */
  skip?: string[]
  /** The least severity that makes the audit fail; `medium` when left out. */
  failOn?: Severity
  /** Stops at the first failure; the result of a check that has not run by then is `skip`. */
  bail?: boolean
  /** Ends the run after this real time; what was not reached is inconclusive. Milliseconds, or text such as `5m`. */
  timeout?: Duration$1
  /** Seed of the liberties that the emulator takes during the run; as it is set when left out. */
  liberties?: string | undefined
  /** Ends the run early; the world is restored all the same, and the audit rejects. */
  signal?: AbortSignal
  /** Called with each result as it comes. */
  onResult?: (result: CheckResult) => void
  /** Called with what was done beside the checks, such as the removal of what a killed audit has left. */
  onNote?: (note: string) => void
}

/**
 * Options or settings that do not exist or have invalid values. Its `message` lists every issue, and each issue's `path`
 * names the option, variable or flag as the caller wrote it.
 * @example
 * await startEmulator({ pageSize: 0 }) // Invalid options: pageSize must be at least 1
 */
declare class InvalidOptionsError extends MockademyError {
  readonly issues: Issue[]
  static readonly name: string
  readonly code = 'ERR_INVALID_OPTIONS'
  constructor(issues: Issue[])
}

/**
 * Options of `sweep`.
 * @example
 * const options: SweepOptions = { url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', flow: ['refresh'] }
 */
interface SweepOptions {
  /** Address of a running emulator. */
  url: string
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
  /** The audit's file: its path or its content. */
  file: AuditFileInput | string
  /** Folder for the paths in a file given by its content, and for its `restart`; the working folder when left out. */
  folder?: string | undefined
  /** Names of flows to sweep; every flow when left out. */
  flow?: string[]
  /** Globs of case ids to run, in which `*` does not cross a `/`; every case when left out. */
  only?: string[]
  /** Globs of case ids not to run. */
  skip?: string[]
  /** Seed of the liberties that the emulator takes meanwhile; none, or those that it takes anyway, when left out. */
  liberties?: string | undefined
  /** Also two troubles in one case, in the flows `install` and `refresh`; on where a glob of `only` has a `+`. */
  pairs?: boolean
  /** Begins no case after this real time. Milliseconds, or text such as `5m`. */
  budget?: Duration$1 | undefined
  /** Folder for the scenarios of failing cases; none are written when left out. */
  out?: string | undefined
  /** Begins no case after the first that fails. */
  bail?: boolean
  /** Ends the run early; the world is restored, and the report holds what was found. */
  signal?: AbortSignal
  /** Called as cases end. */
  onProgress?: (progress: { done: number; of: number; failing: number }) => void
  /** Called with what was done beside the cases, such as the removal of what a killed sweep has left. */
  onNote?: (note: string) => void
}

/** Every flow; `needs` and `expects` are `probe` when left out. sweep: "Flows" */
declare const flows: {
  readonly install: {
    readonly steps: readonly ['install']
    readonly check: 'api.bearer'
  }
  readonly refresh: {
    readonly steps: readonly ['install', 'probe', 'expire', 'probe', 'expire']
    readonly check: 'api.refreshes-once'
    readonly lastCheck: 'api.rotation-kept'
  }
  readonly burst: {
    readonly steps: readonly ['install', 'expire', 'burst']
    readonly check: 'api.stampede'
  }
  readonly list: {
    readonly needs: readonly ['list']
    readonly steps: readonly ['install', 'list']
    readonly expects: 'list'
    readonly check: 'api.pages'
  }
  readonly upgrade: {
    readonly steps: readonly ['install', 'probe', 'upgrade']
    readonly check: 'api.after-upgrade'
  }
  readonly reinstall: {
    readonly steps: readonly ['install', 'probe', 'uninstall', 'install']
    readonly check: 'webhook.late-uninstall'
  }
  readonly uninstall: {
    readonly steps: readonly ['install', 'probe', 'uninstall']
    readonly expects: 'not-installed'
    readonly check: 'api.after-uninstall'
  }
  readonly 'sign-in': {
    readonly needs: readonly ['oauth.authorize', 'start', 'whoami']
    readonly steps: readonly ['install', 'sign-in']
    readonly expects: 'sign-in'
    readonly check: 'signin.works'
  }
  readonly events: {
    readonly needs: readonly []
    readonly steps: readonly ['install', 'event', 'event']
    readonly expects: 'acknowledged'
    readonly check: 'webhook.unknown-event'
  }
}
/** Name of a flow. */
type FlowName = keyof typeof flows

/** Every verdict: its sign in the matrix, the status of its result, and words. sweep: "One case", "Report" */
declare const verdicts: {
  readonly unharmed: {
    readonly sign: '·'
    readonly status: 'pass'
    readonly words: 'unharmed'
  }
  readonly healed: {
    readonly sign: '~'
    readonly status: 'pass'
    readonly words: 'healed'
  }
  readonly reinstalled: {
    readonly sign: '+'
    readonly status: 'pass'
    readonly words: 'healed by a new installation'
  }
  readonly stranded: {
    readonly sign: '✗'
    readonly status: 'fail'
    readonly words: 'stranded'
  }
  readonly harmful: {
    readonly sign: '!'
    readonly status: 'fail'
    readonly words: 'harmful'
  }
  readonly unbroken: {
    readonly sign: '?'
    readonly status: 'skip'
    readonly words: 'not reached by the fault'
  }
}
/** Name of a verdict on a case. */
type VerdictName = keyof typeof verdicts
/** A step as it went. */
interface StepRecord {
  step: string
  /** The app's response. */
  seen: string
  holds: boolean
  /** Lines of the organization's journal. */
  journal: string[]
}
/** Result of a case. */
interface CaseResult {
  /** `flow/point/trouble` */
  id: string
  verdict: VerdictName
  /** One sentence. */
  message: string
  /** The trouble in words. */
  trouble: string
  /** Steps in order; of a failure, the fewest that show it. */
  steps: StepRecord[]
  /** Ids of the journal entries of its organization. */
  entries: number[]
  /** The behavior of a good app; of failures alone. */
  expected?: string
  /** The rule that the harm breaks, where there is one. */
  rule?: string
  /** File of the scenario that shows it. */
  scenario?: string
  /** Ids of other cases that fail for the same reason: their least steps are the same. */
  origins?: string[]
  /** Present when four runs did not all fail alike: the number of those that did, and their message. */
  flaky?: string
  /** The reason under `accept` in the audit's file. */
  accepted?: string
}
/** Results of one flow. */
interface FlowResult {
  flow: FlowName
  /** Names of the points that were tried. */
  points: string[]
  /** Points that were not in both undisturbed runs, so they were not tried. */
  unstable: string[]
  cases: CaseResult[]
}
/** Results of a sweep. */
interface SweepReport {
  /** The app's manifest id. */
  app: string
  /** No case is stranded or harmful unless it is accepted, each flow had a case that fired, and nothing interrupted it. */
  passed: boolean
  /** Seed of the emulator; absent when it has none. */
  seed?: string
  /** The sweep ended early: by its signal, by `bail`, because its budget was over, or because the app ended or could not be restarted. */
  ended?: 'interrupted' | 'bail' | 'budget' | 'app-ended' | 'restart-failed'
  /** The case that ended the app, with `app-ended`; the fault of the restart, with `restart-failed`. */
  endedBy?: string
  /** Number of failing cases that the budget left no time to repeat and reduce. */
  unreduced?: number
  flows: FlowResult[]
  /** Flows that were left out, each with what they need. */
  skipped: {
    flow: FlowName
    reason: string
  }[]
  /** Counts. `cases` is the number of cases that were run: fewer than `planned` when it ended early. */
  summary: Record<VerdictName, number> & {
    planned: number
    cases: number
    runs: number
    seconds: number
  }
}

/**
 * Options of `connect`.
 * @example
 * const options: ConnectOptions = { adminToken: 'sesame' }
 */
interface ConnectOptions {
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
}
/**
 * Returns a client of the control API of the emulator at `url`, with a method for each control call. Every method
 * rejects with an `AdminError` when the call is refused, and with an `UnreachableError` when nothing responds.
 * @throws InvalidOptionsError for options that do not exist or have invalid values, and a `url` that is not valid.
 * @example
 * const admin = connect('http://127.0.0.1:4600', { adminToken: process.env.ADMIN_TOKEN })
 * await admin.advanceClock('1h')
 */
declare function connect(url: string, options?: ConnectOptions): Admin

/** The body of a refused control call (RFC 9457). */
interface Problem {
  type?: string
  title?: string
  status?: number
  detail?: string
  /** The invalid fields. */
  errors?: {
    path: string
    message: string
  }[]
}
/**
 * A control call that was refused. Its `message` gives the reason, with every invalid field.
 * @example
 * await admin.getOrganization('none').catch(({ status }) => status) // 404
 */
declare class AdminError extends MockademyError {
  /** The HTTP status. */
  readonly status: number
  readonly problem: Problem
  static readonly name: string
  readonly code = 'ERR_CALL_REFUSED'
  constructor(
    /** The HTTP status. */
    status: number,
    problem: Problem,
  )
}
/**
 * No emulator responded at `url`; `cause` is the error of the connection, if there was one.
 * @example
 * await connect('http://127.0.0.1:4600').health().catch(({ code }) => code) // ERR_UNREACHABLE
 */
declare class UnreachableError extends MockademyError {
  readonly url: string
  static readonly name: string
  readonly code = 'ERR_UNREACHABLE'
  constructor(url: string, reason: string, options?: ErrorOptions)
}

/** Documents, or paths of files that hold one. */
type Fixtures = (FixtureDocument | string)[] | FixtureDocument | string

/**
 * Fixtures that cannot be read or are not valid. Its `message` lists every issue.
 * @example
 * await startEmulator({ fixtures: { users: [{ email: 'ada' }] } }) // … users.0.email: must be an email address
 */
declare class InvalidFixturesError extends MockademyError {
  /** The message without the issues. */
  readonly summary: string
  /** Each issue's `path` is the file, if any, and the dotted path in it. */
  readonly issues: Issue[]
  static readonly name: string
  readonly code = 'ERR_INVALID_FIXTURES'
  constructor(
    /** The message without the issues. */
    summary: string,
    /** Each issue's `path` is the file, if any, and the dotted path in it. */
    issues: Issue[],
  )
}

/** The settings, and the world to begin with. */
interface WorldOptions extends SettingOptions {
  /** The world to begin with: documents, or paths of files that hold one. Those of `config` when left out, else the default world. */
  fixtures?: Fixtures | undefined
  /**
   * A file such as `mockademy.json`, with settings and fixtures; its `port` and `store` are left to `mockademy start`. When
   * left out, the `mockademy.json` of the working folder or of the nearest folder above it, up to the one with
   * `package.json`, if there is one; false: none.
   */
  config?: string | false | undefined
  /** Receives errors that are the emulator's own; they go to standard error when left out. */
  onInternalError?: ((error: unknown) => void) | undefined
}
/**
 * Options of `startEmulator`: every setting in camelCase, the world to begin with, and at most one of `fresh` and `resume`.
 * Durations are milliseconds or text such as `5m`.
 * @example
 * const options: StartOptions = { pageSize: 20, store: '.mockademy/store.json', resume: true }
 */
type StartOptions = WorldOptions & (FreshStart | ResumedStart)
/** Discards the store's world. */
interface FreshStart {
  /** Seeds the store again from the fixtures; the old file is kept beside it. */
  fresh?: boolean | undefined
  resume?: false | undefined
}
/** Keeps the store's world; also what happens without `resume`, if the fixtures are the same. */
interface ResumedStart {
  fresh?: false | undefined
  /** Continues with the existing store, whatever fixtures it was seeded from. */
  resume?: boolean | undefined
}
/**
 * An emulator that runs in this process.
 * @example
 * await using emulator = await startEmulator() // closed at the end of the block (TypeScript, or Node.js 24)
 * await emulator.admin.install({ app: 'notes', organization: 'acme' })
 */
interface Emulator {
  /** The address of the public API and of everything else, without a trailing slash. */
  url: string
  /** The address of the web application and the OAuth endpoints: the issuer. It is `url`, unless `appUrl` was set. */
  appUrl: string
  /** The control API: a method for each of its calls. */
  admin: Admin
  /** Warnings, e.g. that a truncated last line of the store was dropped. */
  notes: string[]
  /** The variables that `mockademy exec` sets for its command: addresses, and the secrets of the first organization and app. */
  env: Record<string, string>
  /** Writes a report of the run, as `admin.report` does. */
  report: Admin['report']
  /** Stops listening, cuts open connections, and resolves when everything is written. */
  close(): Promise<void>
  /** Calls `close`. */
  [Symbol.asyncDispose](): Promise<void>
}
/**
 * Starts an emulator in this process, on any free port and in memory unless the options say otherwise. Variables such as
 * `MOCKADEMY_PAGE_SIZE` set what no option sets, and `mockademy.json` what neither sets.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @throws InvalidFixturesError for fixtures that cannot be read or are not valid.
 * @throws StartError when the port is in use, the configuration cannot be read, the store is in use, unreadable or seeded from other fixtures, or the test environment lacks globals of Node.
 * @example
 * const emulator = await startEmulator({ pageSize: 20, accessTokenTtl: '5m' })
 * await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: 'Bearer key_acme' } })
 * await emulator.close()
 */
declare function startEmulator(options?: StartOptions): Promise<Emulator>

/**
 * An emulator that cannot start: the port is in use, the store is in use, unreadable or seeded from other fixtures, or
 * `mockademy.json` cannot be read.
 * @example
 * await startEmulator({ port: 4600 }) // Port 4600 is in use. Choose another with --port, or --port 0 for any free one.
 */
declare class StartError extends MockademyError {
  /** Exit status of the command line: 1 for a port that is in use, 2 for invalid input. */
  readonly exitStatus: 1 | 2
  static readonly name: string
  readonly code = 'ERR_START'
  constructor(
    /** Exit status of the command line: 1 for a port that is in use, 2 for invalid input. */
    exitStatus: 1 | 2,
    message: string,
  )
}

/**
 * Audits a running app that is configured for a running emulator, and restores the emulator's world afterwards.
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, invalid file, interrupted.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @example
 * const report = await audit({ url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', failOn: 'high' })
 * for (const { id, outcome, message } of report.checks) console.log(id, outcome, message)
 */
declare function audit(options: AuditOptions): Promise<AuditReport>
/**
 * Runs the flows of a running app repeatedly, each time with one failure injected at one point, and reports those from
 * which the app does not recover. Restores the emulator's world afterwards.
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, invalid file, a flow that fails
 *   without any injected failure.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @example
 * const report = await sweep({ url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', flow: ['refresh'] })
 * for (const { cases } of report.flows) for (const { id, verdict } of cases) console.log(id, verdict)
 */
declare function sweep(options: SweepOptions): Promise<SweepReport>

export {
  AdminError,
  AuditFailure,
  InvalidFixturesError,
  InvalidOptionsError,
  MockademyError,
  StartError,
  UnreachableError,
  audit,
  connect,
  startEmulator,
  sweep,
}
export type {
  AddFixturesResult,
  Admin,
  AdminDocumentResult,
  AdvanceClockOptions,
  AdvanceStep,
  Affected,
  AiReviewProperties,
  AmbientStep,
  ApiEffect,
  ApiEffectParts,
  App,
  AppSecrets,
  AuditFileInput,
  AuditOptions,
  AuditReport,
  Bound,
  BoundSandbox,
  CallResult,
  CaseResult,
  CertificateProperties,
  CheckResult,
  ChecklistProperties,
  ClearFaultsStep,
  Clock,
  ClockQuery,
  ConnectOptions,
  ContentProperties,
  CountRequestsQuery,
  CountRequestsResult,
  Coverage,
  CoverageGap,
  CreateAppBody,
  CreateOrganizationBody,
  CreateSandboxBody,
  CreatedApp,
  Credentials,
  DeliveriesSettledQuery,
  DeliveriesSettledResult,
  Delivery,
  DiscussionProperties,
  Duration,
  EmbedProperties,
  Emulator,
  EndedTokens,
  EventStep,
  EventType,
  ExpectDeliveryStep,
  ExpectFindingsStep,
  ExpectRequestsStep,
  Fault,
  FaultEffect,
  FaultMatch,
  FaultRules,
  FeedbackReflectionProperties,
  FileProperties,
  Finding,
  FixtureDocument,
  FixtureElement,
  FixtureElementFields,
  Fixtures,
  FlowResult,
  FormProperties,
  FreezeClockOptions,
  FreezeStep,
  GenerateApiKeyResult,
  GetCoverageQuery,
  GroupFeedbackReflectionProperties,
  GroupFormationProperties,
  GroupPeerReviewProperties,
  GroupSubmissionProperties,
  HealthResult,
  IdTokenEffect,
  IdTokenEffectParts,
  Inbox,
  InboxEntry,
  InboxStep,
  InstallBody,
  InstallStep,
  Installation,
  InstalledApp,
  InstructorDiscussionProperties,
  InstructorReviewProperties,
  Issue,
  JournalEntry,
  Liberties,
  ListDeliveriesQuery,
  ListFindingsQuery,
  ListGapsQuery,
  ListInstallationsQuery,
  ListRequestsQuery,
  ListTokensQuery,
  Manifest,
  Mark,
  MarkOptions,
  MarkStep,
  MeetingLinkProperties,
  MeetingProviderAProperties,
  MeetingProviderBProperties,
  Member,
  MemberStep,
  Message,
  MintStep,
  MintTokensBody,
  MovedClock,
  NewFault,
  NewSandbox,
  NewUser,
  OauthEffect,
  OauthEffectParts,
  Organization,
  OrganizationStep,
  Outcome,
  PartnerLearningProperties,
  PeerReviewProperties,
  Permission,
  Problem,
  PushedApp,
  QuizProperties,
  ReadInboxQuery,
  Recording,
  RedeliverStep,
  Report,
  ReportOptions,
  RequestStep,
  ResetStep,
  RestoreSnapshotBody,
  RestoreStep,
  ResumeClockBody,
  ResumeStep,
  RotateKeysBody,
  RotateKeysStep,
  Rotation,
  Sandbox,
  Scenario,
  ScenarioResult,
  ScenarioStep,
  ScenarioStepFields,
  ScenarioStepResult,
  ScoreProperties,
  ScormProperties,
  SelfReviewProperties,
  SendEventBody,
  Session,
  SetInboxBody,
  SetLibertiesBody,
  SetSilentAuthBody,
  SettingOptions,
  Settings,
  SettleStep,
  Severity,
  SignInStep,
  SignedIn,
  SilentAuth,
  SilentAuthStep,
  Snapshot,
  SnapshotStep,
  StartOptions,
  StartRecordingResult,
  StreamEvent,
  StreamOptions,
  SubmissionProperties,
  SurveyProperties,
  SweepOptions,
  SweepReport,
  TagProperties,
  Token,
  TokenPair,
  TokenSelection,
  UninstallStep,
  UninstalledApp,
  UpdateUserBody,
  UpgradeStep,
  User,
  VideoProperties,
  VisitStep,
  WebhookEffect,
  WebhookEffectParts,
  World,
}
