import type { ModuleBuild } from '@portal/sdk/manifest'
import { integrityOf } from '../src/signing.ts'

export const label = { en: 'Visits', fr: 'Visites' }
const nav = (path: string): ModuleBuild['nav'] => [{ path, label, icon: 'cases', order: 60, children: [] }]

const source: NonNullable<ModuleBuild['search']>[number] = {
  ...{ id: 'visits', title: label, icon: 'modules', permission: 'health.view' },
  ...{ call: '/admin/health/visits', rows: 'visits', label: '{name}', link: '/admin/health/{id}' },
}

const step: NonNullable<ModuleBuild['first_day']>[number] = {
  ...{ id: 'visit', title: label, text: label, permission: 'health.view', link: '/admin/health', order: 40 },
}

/** A text that compresses badly, so that its compressed size is close to `octets`. */
const noise = (octets: number) => {
  let text = ''
  for (let at = 0; text.length < octets; at += 1) text += integrityOf(String(at)).slice(7)
  return text.slice(0, octets)
}

export const noMap = { version: 3, sources: ['src/visits/VisitsPage.tsx'], names: [], mappings: '' }

/** Builds that do not pass: what is wrong, the gate, the change of the build, the sentence, further files. */
export const refusedBuilds: [string, string, Partial<ModuleBuild>, RegExp, Record<string, string>?][] = [
  [
    'a menu entry outside its routes',
    'manifest',
    { nav: nav('/admin/schools/x') },
    /leads to \/admin\/schools\/x \(nav\.0\.path\), outside/,
  ],
  [
    'a result of the search outside its routes',
    'manifest',
    { search: [{ ...source, link: ['/admin/health/{id}', '/admin/users?search={id}'] }] },
    /leads to \/admin\/users\?search=\{id\} \(search\.0\.link\), outside/,
  ],
  [
    'a notification that leads outside its routes',
    'manifest',
    { links: [{ kind: 'import.visits', link: '/admin/healthy/{id}' }] },
    /leads to \/admin\/healthy\/\{id\} \(links\.0\.link\), outside/,
  ],
  [
    'a kind of things that the portal itself shows',
    'kinds',
    { links: [{ kind: 'import.attendance', link: '/admin/health/{id}' }] },
    /The kind import\.attendance is the portal's own: name yours differently/,
  ],
  [
    'a search through another module’s records',
    'manifest',
    { search: [{ ...source, call: '/modules/mfe-wells/records/visits' }] },
    /The search reads \/modules\/mfe-wells\/records\/visits \(search\.0\.call\)/,
  ],
  [
    'a step of the first day outside its routes',
    'manifest',
    { first_day: [{ ...step, link: '/admin/users' }] },
    /leads to \/admin\/users \(first_day\.0\.link\), outside/,
  ],
  [
    'a step that is done by what the audit log never has',
    'manifest',
    { first_day: [{ ...step, done: { type: 'visit', events: ['healed'] } }] },
    /The audit log never has healed of visit \(first_day\.0\.done\)/,
  ],
  [
    'a step for whoever has a permission that nobody can have',
    'permissions',
    { first_day: [{ ...step, permission: 'health.heal' }] },
    /Nobody can have health\.heal/,
  ],
  [
    'a search for whoever has a permission that nobody can have',
    'permissions',
    { search: [{ ...source, permission: 'health.heal' }] },
    /Nobody can have health\.heal/,
  ],
  [
    'a contract that the portal does not have',
    'contract',
    { contract: '^2.0.0' },
    /asks for contract \^2\.0\.0; the portal has/,
  ],
  [
    'another React',
    'shared',
    { shared: { react: '18.2.0', 'react-dom': '18.2.0' } },
    /react 18\.2\.0 \(the shell: 19/,
  ],
  ['no word about its React', 'shared', { shared: {} }, /does not say which React/],
  ['a route of the portal’s own', 'routes', { routes: ['/attendance'] }, /\/attendance is the portal's own/],
  ['a route below another module’s', 'routes', { routes: ['/admin/users/health'] }, /belongs to mfe-users/],
  ['a route above another module’s', 'routes', { routes: ['/admin'] }, /portal's own|belongs to/],
  [
    'a permission of the portal’s own',
    'permissions',
    { permissions: [{ name: 'users.view', label }] },
    /users\.view is the portal's own: use it without declaring/,
  ],
  [
    'words for another module’s permissions',
    'permissions',
    { resources: [{ name: 'users', label }] },
    /resources names users, and no permission of its own begins with users\./,
  ],
  [
    'a permission that nobody can have',
    'permissions',
    { permission: 'health.heal' },
    /Nobody can have health\.heal: declare it/,
  ],
  [
    'a permission by which a module is watched',
    'permissions',
    { permissions: [{ name: 'mfe-users.watch', label }] },
    /mfe-users\.watch begins with mfe-, as only the portal's own permissions on modules do/,
  ],
  [
    'a message id of another module',
    'messages',
    { words: { en: ['users.greeting'], fr: ['users.greeting'], same: 0 } },
    /users\.greeting are mfe-users's: begin yours with mfe-health/,
  ],
  [
    'words that lack French',
    'languages',
    { words: { en: ['abc123', 'def456'], fr: ['abc123'], same: 0 } },
    /French lacks def456: translate/,
  ],
  [
    'styles for every button',
    'styles',
    {},
    /page\.css would change other pages too: button\. Begin every selector/,
    { 'page.css': '.mfe-health p { margin: 0 } button { color: red }' },
  ],
  [
    'a page that is too heavy',
    'budget',
    {},
    /\/admin\/health is .* KiB, a page may be 60 KiB: load what/,
    { 'page.js': noise(100_000) },
  ],
  [
    'a part that is loaded lazily and too heavy',
    'weights',
    {},
    /map\.js is .* KiB, compressed; a file may be 200 KiB/,
    { 'map.js': noise(300_000) },
  ],
  [
    'source maps that name folders of a machine',
    'maps',
    {},
    /paths of a machine/,
    { 'sources.map': JSON.stringify({ 'page.js': { ...noMap, sources: ['/home/awa/src/page.tsx'] } }) },
  ],
  [
    'a file that the portal would not serve',
    'files',
    {},
    /index\.html: not a kind of file/,
    { 'index.html': '<p>' },
  ],
  [
    'something of another module inside',
    'sources',
    { sources: ['mfe-health', 'mfe-transfers'] },
    /Something of mfe-transfers is inside/,
  ],
]
