import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, done, instant, listQuery, page } from './fields.ts'

const Label = v.object({ en: v.string(), fr: v.string() })

/** Why a module is not offered although the registry has it. */
const withheldReasons = ['unsigned', 'signature', 'revoked', 'broken', 'isolated'] as const

/** Where a build runs: the product's and those that an administrator trusts in the portal's page, others in a frame. */
export const runs = ['product', 'trusted', 'isolated'] as const
export type Runs = (typeof runs)[number]

/** Failures of a module in a browser (Modules 3.1). */
export const failureReasons = [
  'slow',
  'unreachable',
  'contract',
  'integrity',
  'invalid',
  'html',
  'shared',
  'threw',
  'crash',
  'uncaught',
  'withheld',
] as const

/** One module as an administrator sees it: what is live, how it fares (the last seven days), whose it is. */
export const ModuleStatus = v.object({
  name: v.string(),
  title: Label,
  owner: v.object({ name: v.string(), contact: v.string() }),
  contract: v.string(),
  version: v.string(),
  build: v.string(),
  published_at: v.nullable(instant),
  published_by: v.nullable(v.string()),
  state: v.picklist(['live', 'disabled', 'withheld']),
  withheld: v.nullable(v.picklist(withheldReasons)),
  pinned: v.boolean(),
  runs: v.picklist(runs),
  /** Who gets a newer build already: a share of the people in percent, or roles. */
  canary: v.nullable(
    v.object({ version: v.string(), percent: v.nullable(v.number()), roles: v.array(v.string()) }),
  ),
  previous: v.nullable(v.object({ version: v.string(), build: v.string() })),
  /** The last day on which the portal runs it by the adapter for its major of the contract; null where it needs none. */
  carried_until: v.nullable(day),
  /** Its builds for other majors of the contract, for tabs and portals that the live one does not fit. */
  beside: v.array(v.object({ version: v.string(), build: v.string(), contract: v.string() })),
  loads: v.number(),
  errors: v.number(),
  /** Milliseconds from the click to the page, half of the loads quicker; null without loads. */
  load_ms_median: v.nullable(v.number()),
  load_ms_p95: v.nullable(v.number()),
  /** Bytes over the wire of a first load, median; null without loads. */
  bytes_median: v.nullable(v.number()),
})
export type ModuleStatus = v.InferOutput<typeof ModuleStatus>

/** Something that went wrong with a module in a browser; `reference` is what the person was told to quote. */
export const ModuleError = v.object({
  id: v.number(),
  reason: v.picklist(failureReasons),
  version: v.string(),
  build: v.string(),
  reference: v.string(),
  message: v.string(),
  /** Lines of the module's code, innermost first; empty where none were reported. */
  stack: v.string(),
  path: v.string(),
  /** Only for administrators of modules: a partner need not know who it was. */
  user: v.nullable(v.string()),
  created_at: instant,
})
export type ModuleError = v.InferOutput<typeof ModuleError>

/** How a module fared in one week, which begins on the Monday `week`. */
export const ModuleWeek = v.object({
  week: v.string(),
  loads: v.number(),
  errors: v.number(),
  people: v.number(),
  load_ms_median: v.nullable(v.number()),
})
export type ModuleWeek = v.InferOutput<typeof ModuleWeek>

/** Loads of one page of a module in one week. `page` is the path of its route, `/admin/visits/:id`. */
export const ModulePageWeek = v.object({ page: v.string(), week: v.string(), loads: v.number() })
export type ModulePageWeek = v.InferOutput<typeof ModulePageWeek>

/**
 * A published version of a module. `tried`: some people have it as a canary; `beside`: it is the live one for another major
 * of the contract; `ready`: it can be promoted.
 */
export const ModuleVersion = v.object({
  version: v.string(),
  build: v.string(),
  published_at: instant,
  person: v.string(),
  admitted_by: v.nullable(v.string()),
  runs: v.picklist(runs),
  /** Who decided where it runs; null for one of the product, and for one that was admitted before there was a choice. */
  decided_by: v.nullable(v.string()),
  state: v.picklist(['live', 'tried', 'beside', 'ready', 'waiting', 'revoked']),
})
export type ModuleVersion = v.InferOutput<typeof ModuleVersion>

/** A change of what is live, newest first. */
export const ModuleChange = v.object({
  generation: v.number(),
  at: instant,
  by: v.string(),
  /** `publish`, `promote`, `canary`, `rollback`, `pin`, `disable`, `enable`, `revoke`, `remove`, `release`. */
  what: v.string(),
  version: v.string(),
  build: v.string(),
})
export type ModuleChange = v.InferOutput<typeof ModuleChange>

/**
 * The kinds of what a build adds: addresses, its own permissions, permissions of the portal that it asks for, collections, servers
 * of its team with their addresses, hosts of images, cards, what it adds to pages of others and to the bell, calls of its pages and
 * its search.
 */
export const partKinds = [
  'route',
  'permission',
  'needs',
  'collection',
  'backend',
  'images',
  'card',
  'extension',
  'event',
  'call',
] as const

/** Something that a build adds to the portal, and whether the build that was admitted before it has it too. */
export const BuildPart = v.object({
  kind: v.picklist(partKinds),
  value: v.string(),
  /** What it is called; without it the value is the name. */
  words: v.optional(Label),
  change: v.picklist(['new', 'same', 'gone']),
})
export type BuildPart = v.InferOutput<typeof BuildPart>

/** A partner's build that cannot go live before an administrator has admitted it. */
export const WaitingBuild = v.object({
  name: v.string(),
  title: Label,
  owner: v.object({ name: v.string(), contact: v.string() }),
  version: v.string(),
  build: v.string(),
  /** Who signed it, and with which key. */
  person: v.string(),
  key: v.string(),
  published_at: instant,
  /** The last build that was admitted, which this one is compared with. */
  admitted: v.nullable(v.object({ version: v.string(), build: v.string() })),
  /** The version that is live, and whether this one is older than it. */
  live: v.nullable(v.object({ version: v.string(), newer: v.boolean() })),
  parts: v.array(BuildPart),
  files: v.object({ total: v.number(), new: v.number() }),
})
export type WaitingBuild = v.InferOutput<typeof WaitingBuild>

const buildId = v.pipe(v.string('required'), v.nonEmpty('required'), v.maxLength(12, 'too_long|12'))
const text = (max: number) => v.pipe(v.string('required'), v.maxLength(max, `too_long|${max}`))
const count = v.pipe(v.number('number'), v.integer('whole'), v.minValue(0, 'whole'), v.maxValue(1e9, 'whole'))

/** A load or a failure, as a browser reports it. It contains nothing of the page's content. */
export const ModuleReport = v.variant('kind', [
  v.object({
    kind: v.literal('load'),
    module: text(60),
    version: text(40),
    build: text(12),
    ms: count,
    /** Zero when everything was in the browser's cache. */
    bytes: count,
    /** The path of the page's route as its build declares it, `/admin/visits/:id`: it has no ids. Others are not kept. */
    page: v.optional(text(200), ''),
  }),
  v.object({
    kind: v.literal('error'),
    module: text(60),
    version: text(40),
    build: text(12),
    reason: v.picklist(failureReasons, 'choose'),
    reference: text(20),
    message: text(300),
    stack: v.optional(text(2000), ''),
    /** The address without its query: ids stay, what was searched for does not. */
    path: text(200),
  }),
])
export type ModuleReport = v.InferOutput<typeof ModuleReport>

/**
 * `list`, `errors`, `changes`, `usage` and `versions` are for administrators of modules, and for people with the permission
 * `<module>.watch` of a partner's module. For everybody else the list is empty and the others are 404.
 */
export const modules = {
  list: endpoint({
    method: 'GET',
    path: '/admin/modules',
    access: 'session',
    answer: v.object({ generation: v.number(), modules: v.array(ModuleStatus) }),
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/admin/modules/waiting',
    access: 'modules.admit',
    /** `isolates`: the portal has an origin for isolated modules. */
    answer: v.object({ builds: v.array(WaitingBuild), isolates: v.boolean() }),
  }),
  /**
   * From now on the build can be promoted. It runs in a frame, unless it is trusted. 409 when it was revoked or does not fit
   * what is live.
   */
  admit: endpoint({
    method: 'POST',
    path: '/admin/modules/:module/admissions',
    access: 'modules.admit',
    fresh: true,
    body: v.object({
      build: buildId,
      trusted: v.optional(v.boolean('boolean'), false),
    }),
    answer: done,
  }),
  /** Trusts an admitted build, or takes that back: it then runs in a frame again. 409 while it waits for admission. */
  trust: endpoint({
    method: 'PUT',
    path: '/admin/modules/:module/trust',
    access: 'modules.admit',
    fresh: true,
    body: v.object({ build: buildId, trusted: v.boolean('boolean') }),
    answer: done,
  }),
  errors: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/errors',
    access: 'session',
    query: listQuery([]),
    answer: v.object({ errors: page(ModuleError) }),
  }),
  changes: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/changes',
    access: 'session',
    answer: v.object({ changes: v.array(ModuleChange) }),
  }),
  usage: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/usage',
    access: 'session',
    answer: v.object({ weeks: v.array(ModuleWeek), pages: v.array(ModulePageWeek) }),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/versions',
    access: 'session',
    answer: v.object({ versions: v.array(ModuleVersion) }),
  }),
  /** 409 when the generation is another by now: what the administrator saw is no longer what is live. */
  change: endpoint({
    method: 'PUT',
    path: '/admin/modules/:module',
    access: 'modules.manage',
    body: v.object({
      action: v.picklist(['enable', 'disable', 'rollback'], 'choose'),
      generation: v.number('number'),
    }),
    answer: v.object({ message: v.string(), generation: v.number() }),
  }),
  report: endpoint({
    method: 'POST',
    path: '/modules/reports',
    access: 'session',
    body: v.object({ reports: v.pipe(v.array(ModuleReport), v.maxLength(50, 'too_long|50')) }),
    answer: done,
  }),
}

/** The cookie of a browser that takes a module from a developer's machine: `<module>.<port>`. The gateway sets it. */
export const overrideCookie = 'portal_override'

/**
 * The header by which the shell says for which isolated module it calls: `<module>/<build>`. The server then allows only what
 * the manifest of that build names, and writes the build into the audit log.
 */
export const moduleHeader = 'x-portal-module'
