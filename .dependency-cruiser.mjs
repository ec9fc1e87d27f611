// Who may import whom. Default disallow, by pattern: a row lists all that its files may reach, a new feature is covered
// the day it is made, and a folder without a row may import nothing. Run with: npm run boundaries.
const npm = (...names) => names.map((name) => `^node_modules/${name}/`)
const shared = (...names) => names.map((name) => `^shared/${name}/`)
const react = npm('react', 'react-dom', '@lingui/(core|react)', '@types/react', '@types/react-dom')
const federation = npm('@module-federation/(enhanced|inject-external-runtime-core-plugin)')
/** Shell and modules link and navigate with it; only the shell makes a router. */
const router = npm('react-router(-dom)?')
const forms = npm('react-hook-form')
// npm puts a package below a workspace (api) if another one needs another version.
const anyPackage = '^(api/)?node_modules/'
/** In a row's list: Node's own modules. */
const builtIn = 'node:'
const forTests = [...npm('vitest', 'happy-dom', 'valibot'), builtIn, '^shared/i18n/']
const tests = ['\\.test\\.tsx?$', '/test/', '/test-[a-z-]+\\.tsx?$']
const configs = '\\.config\\.ts$'

/** One row: what `from` may import besides `to` is an error. `$1` in `to` is what `from` captured. */
function row(name, from, to, { except = [] } = {}) {
  const rule = (name, from, to) => ({
    name,
    severity: 'error',
    from,
    to: {
      pathNot: to.filter((each) => each !== builtIn),
      ...(to.includes(builtIn) && { dependencyTypesNot: ['core'] }),
    },
  })
  const inTests = [
    ...to,
    ...forTests,
    ...(from.startsWith('^api') ? ['^api/', '^deploy/sandbox-agency/test/'] : []),
    // The command is tested against the real registry.
    ...(from.startsWith('^deploy/portal-module') ? ['^deploy/registry/test/'] : []),
  ]
  return [
    rule(name, { path: from, pathNot: [...tests, configs, ...except] }, to),
    ...tests.map((test) =>
      rule(`${name}-tests`, { path: `^(?=.*${test})${from.slice(1)}`, pathNot: except }, inTests),
    ),
  ]
}

/** Folders or files of a package of which each knows those before it and none after it, so that no circle can arise. */
function layers(part, names) {
  return names.slice(0, -1).map((name, at) => ({
    name: `${part}-${name}-knows-only-what-is-below`,
    severity: 'error',
    from: { path: `^${part}/src/${name}[/.]` },
    to: { path: names.slice(at + 1).map((above) => `^${part}/src/${above}[/.]`) },
  }))
}

const sharedForScreens = shared('contracts', 'client', 'ui', 'screens', 'i18n', 'sdk')
const sharedForModules = [...sharedForScreens, ...shared('workbench')]
const ownDialogs = '^$1/src/dialogs/'
const ownTop = '^$1/src/([^/]+$|locales/)'
/** The folders of transfers, each of which knows those before it. */
const transferFolders = [
  ...['connectors', 'iso20022', 'ledger', 'attendance', 'decisions', 'agencies', 'engine', 'rounds', 'names'],
  ...['budgets', 'payments', 'cohorts', 'payrolls', 'selection', 'moves', 'payee-holds', 'sending-hold'],
  ...['bank-files', 'statements', 'overview', 'reconciliations', 'arrears', 'accounting', 'report'],
].map((folder) => `transfers/${folder}`)
const kit = '^api/src/(kit|excel)/'
const domain = '^api/src/(?!kit/|excel/|commands/|demo/)([^/]+)/'

/** The nouns of the modules, as the contracts have them. The shell knows none; what it shows of them is in manifests. */
const nouns = '^shared/contracts/src/(cases|registers|transfers)[-./]'

export default {
  forbidden: [
    {
      name: 'the-shell-knows-no-module',
      severity: 'error',
      from: { path: '^shell/src/', pathNot: tests },
      to: { path: nouns },
    },
    {
      name: 'accounts-know-no-other-module',
      severity: 'error',
      from: { path: '^mfe-users/src/', pathNot: tests },
      to: { path: nouns },
    },
    ...row('contracts', '^shared/contracts/', [...shared('contracts'), ...npm('valibot')]),
    // Read by the api and by the browser's worker: neither Node nor React.
    ...row('excel', '^shared/excel/', [...shared('excel', 'contracts'), ...npm('@e965/xlsx')]),
    ...row('client', '^shared/client/', [
      ...shared('client', 'contracts'),
      ...npm('@tanstack/(react-query|query-core)', 'react', '@types/react', 'valibot'),
      ...forms,
    ]),
    // Besides the run time: how catalogs are made, and the macro for tests.
    ...row('i18n', '^shared/i18n/', [
      ...shared('i18n', 'contracts'),
      ...react,
      ...npm('@lingui/[^/]+', '@babel/core', 'vite', 'vitest'),
      builtIn,
    ]),
    ...row('ui', '^shared/ui/', [
      ...shared('ui', 'i18n'),
      ...react,
      ...npm('@radix-ui/[^/]+', '@tanstack/(react-table|table-core)'),
      ...forms,
    ]),
    ...row('sdk', '^shared/sdk/', [
      ...shared('sdk', 'contracts', 'i18n', 'client'),
      ...react,
      ...router,
      ...npm(
        '@tanstack/(react-query|query-core|react-table|table-core)',
        'valibot',
        '@radix-ui/react-dropdown-menu',
      ),
      ...federation,
    ]),
    {
      name: 'sdk-takes-only-types-of-client',
      severity: 'error',
      from: { path: '^shared/sdk/', pathNot: tests },
      to: { path: '^shared/client/', dependencyTypesNot: ['type-only'] },
    },
    // The schema of manifest and registry is one: checked when a module is published and again by the gateway.
    ...row('build', '^shared/build/(?!src/hot/)', [
      '^shared/build/',
      '^shared/sdk/src/(extensions|frame-page|frames|majors|manifest|own-words|registry|router-dom|weights)\\.ts$',
      '^shared/i18n/src/module-catalogs\\.ts$',
      anyPackage,
      builtIn,
    ]),
    // What is bundled into a module while somebody works on it; `portal-module` is that module.
    ...row('hot', '^shared/build/src/hot/', [
      '^shared/build/src/hot/',
      '^shared/sdk/src/(development|index)\\.ts$',
      '^portal-module$',
      anyPackage,
      builtIn,
    ]),
    ...row('screens', '^shared/screens/', [...sharedForScreens, ...react, ...router, ...forms]),
    ...row('workbench', '^shared/workbench/', [
      ...sharedForScreens,
      ...shared('excel', 'workbench'),
      ...react,
      ...router,
      ...forms,
    ]),
    ...row('module', '^(mfe-[^/]+)/src/module\\.tsx?$', ['^shared/sdk/', '^$1/src/', ...react]),
    {
      name: 'module-loads-its-pages-when-asked',
      severity: 'error',
      from: { path: '^(mfe-[^/]+)/src/module\\.tsx?$' },
      to: { path: '^$1/src/', pathNot: ['^$1/src/([^/]+$|locales/)'], dynamic: false },
    },
    ...row('feature', '^(mfe-[^/]+)/src/([^/]+)/', [
      ...sharedForModules,
      '^$1/src/$2/',
      ownTop,
      ownDialogs,
      ...react,
      ...router,
      ...forms,
    ]),
    // What two features share stands beside paths.ts, or in dialogs/ if it is fetched when it opens, and knows neither of them.
    ...row(
      'mfe',
      '^(mfe-[^/]+)/src/[^/]+$',
      [...sharedForModules, ownTop, ownDialogs, ...react, ...router, ...forms],
      {
        except: ['/src/module\\.tsx?$', '/src/standalone\\.tsx?$'],
      },
    ),
    ...row('standalone', '^(mfe-[^/]+)/src/standalone\\.tsx?$', [
      ...sharedForScreens,
      '^$1/src/',
      ...react,
      ...forms,
    ]),
    ...row('shell', '^shell/', [
      ...sharedForModules,
      '^shell/',
      ...react,
      ...router,
      ...forms,
      ...npm(
        '@tanstack/(react-query|query-core)',
        'zustand',
        'valibot',
        'uqr',
        '@radix-ui/react-dropdown-menu',
      ),
      ...federation,
    ]),
    ...layers('shell', ['session', 'language', 'platform', 'pages', 'frame']),
    ...row('kit', '^api/src/(kit|excel)/', [
      ...shared('contracts', 'excel'),
      '^deploy/registry/src/(bucket|durable|registry|secret-files|settings|wait)\\.ts$',
      kit,
      anyPackage,
      builtIn,
    ]),
    ...row(
      'domain',
      domain,
      [
        ...shared('contracts', 'excel'),
        // What is live of the modules is the registry's; how it stores that is not.
        '^deploy/registry/src/(audience|registry|refusals|store|status)\\.ts$',
        '^shared/sdk/src/(manifest|registry)\\.ts$',
        kit,
        '^api/src/$1/',
        '^api/src/messages\\.ts$',
        '^api/src/[^/]+/[^/]+\\.service\\.ts$',
        '^api/src/[^/]+/[^/]+/[^/]+\\.service\\.ts$',
        anyPackage,
        builtIn,
      ],
      {
        except: ['\\.tables\\.ts$', '\\.seed\\.ts$'],
      },
    ),
    // From the agency's line to the reports on what it paid.
    ...layers('api', transferFolders),
    // Keys reach across domains, and so do the tables that hold them.
    ...row('tables', `${domain}.*\\.(tables|seed)\\.ts$`, [
      '^shared/contracts/',
      kit,
      '^api/src/[^/]+/[^/]+\\.(tables|seed|service)\\.ts$',
      '^api/src/[^/]+/[^/]+/[^/]+\\.service\\.ts$',
      '^api/src/$1/',
      anyPackage,
      builtIn,
    ]),
    ...row('api', '^api/(src/(commands|demo)/|src/[^/]+$)', [
      '^api/',
      ...shared('contracts', 'excel'),
      '^deploy/(gateway|registry)/',
      anyPackage,
      builtIn,
    ]),
    ...row('api-support', '^api/(?!src/)', [
      '^api/',
      ...shared('contracts', 'excel'),
      '^deploy/(gateway|registry)/',
      '^scripts/(postgres|lib/(browser|processes|programs))\\.mjs$',
      anyPackage,
      builtIn,
    ]),
    ...row('gateway', '^deploy/(?!sandbox-agency/|object-store/|portal-module/)([^/]+)/', [
      '^deploy/$1/',
      '^deploy/registry/(src|test)/',
      ...shared('contracts', 'sdk', 'build'),
      anyPackage,
      builtIn,
    ]),
    // What a partner's team runs: packed, so it knows of servers only what they say.
    ...row(
      'portal-module',
      '^deploy/portal-module/',
      [
        '^deploy/portal-module/',
        ...shared('contracts', 'client', 'i18n', 'sdk', 'ui', 'screens', 'build'),
        anyPackage,
        builtIn,
      ],
      { except: ['^deploy/portal-module/packing/stage\\.ts$'] },
    ),
    // The test portal is packed with the policies of the real one.
    ...row('portal-module-stage', '^deploy/portal-module/packing/stage\\.ts$', [
      '^deploy/portal-module/',
      '^deploy/gateway/src/(headers|modules-origin)\\.ts$',
      ...shared('contracts', 'sdk', 'build'),
      builtIn,
    ]),
    ...row('sandbox-agency', '^deploy/sandbox-agency/', [
      '^deploy/sandbox-agency/',
      builtIn,
      ...npm('vitest'),
    ]),
    ...row('object-store', '^deploy/object-store/', [
      '^deploy/object-store/',
      builtIn,
      ...npm('vitest', 'aws4fetch'),
    ]),
    // The stage starts the portal as `npm start` does: with its own PostgreSQL, ports and way of ending processes.
    ...row('e2e', '^e2e/(?!versions/fixtures/)', [
      '^e2e/',
      '^scripts/(postgres|lib/(browser|ports|processes|programs))\\.mjs$',
      '^deploy/registry/src/',
      ...shared('contracts', 'sdk', 'build'),
      anyPackage,
      builtIn,
    ]),
    // A shell of before, which stands on what was the sdk then.
    ...row('old-shell', '^e2e/versions/fixtures/', [
      '^e2e/versions/fixtures/',
      ...shared('contracts', 'client', 'sdk'),
      ...react,
      ...npm('@tanstack/react-query'),
    ]),
    // Types and lazy imports count too.
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'config',
      severity: 'error',
      from: { path: configs },
      to: {
        pathNot: [
          '^shared/(build|i18n)/',
          '^scripts/lib/browser\\.mjs$',
          '^e2e/playwright\\.config\\.ts$',
          anyPackage,
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'no-row-for-this-folder',
      severity: 'error',
      from: {
        pathNot: [
          '^shared/(contracts|client|excel|i18n|ui|sdk|build|screens|workbench)/',
          '^mfe-[^/]+/src/',
          // Measurements may import anything.
          '^(shell|api|bench|deploy|e2e|scripts)/',
          configs,
          anyPackage,
        ],
      },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // A partner's module imports packages, not this repository.
    exclude: {
      path: ['^dist/', '^\\.data/', '\\.css$', '/src/locales/', '^deploy/(examples|portal-module/template)/'],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}
