import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buildModule } from '@portal/build/build-module'
import { compileWords, extractWords } from '@portal/i18n/module-catalogs'
import { canaryOf, changeModule, majorAsked, readStatus, revokeBuild } from './changes.ts'
import { checkModule, findingsOf } from './check.ts'
import { makeKey, publicHalf, readKey } from './keys.ts'
import { diffText, errorsText, logsText, statusText, usageText, versionsText } from './look.ts'
import { readAddresses } from './own-servers/addresses.ts'
import { connect, connectOrNot, type Portal } from './portal.ts'
import { publishModule, readArtefact } from './publish.ts'
import { Refusal } from './refusal.ts'
import { type Given, moduleIn, type Place } from './settings.ts'
import { verifyPortal } from './verify.ts'

export const usage = `portal-module <command>: makes, checks and deploys a module of the portal.

  new <folder>                 makes a module to begin with
  words                        writes src/locales/*.po anew from what the sources say, and compiles them
  build                        builds the module into dist/
  test                         runs src/**/*.test.ts with Node's own test runner
  test --browser [--trusted]   runs browser/**/*.spec.ts in a browser, against a test portal; isolated unless --trusted
  dev                          serves the module while you work on it, to the pages of a portal
  dev --alone [--portal …]     alone: with a made-up portal, or with the calls passed on to a real one
  dev … --backend stock=http://127.0.0.1:4000      calls of your own server go to one on this machine
  gallery [--port …]           every piece that pages are made of: how it looks, and the line that draws it
  check [--offline]            every gate of publishing, before anything is sent; ! warns of what goes with the next major
  upgrade --vendor <folder>    takes the packages of a newer portal into vendor/; then npm install
  upgrade                      brings sources and manifest to the contract of the installed packages, and says what is left by
                               hand (--force: also with changes that are not committed)

  import <folder>              takes a finished remote that knows nothing of the portal: it can be published then
                               (--name --address --title-en --title-fr --permission --owner --contact, or it asks)

  key <id> --person "First Last" [--to <file>]     makes a key pair; the public half is for the operator
  publish                      builds, checks, signs and uploads; nobody sees it yet
  publish --build <folder>     the same bytes for another portal: takes a folder that was built before, such as a CI system's artefact
  promote [<version>] [--canary 10% | --role "School Officer"]    makes it live, with a second person's key
                               (--downgrade where the version is older than the live one)
  rollback                     back to the build before, or ends a canary
                               (--contract 2: of its builds for several majors the one for that major)
  pin · unpin                  keeps what is live, whatever is promoted
  disable · enable             takes the module out of use, and back
  revoke <version> --reason "…"      nobody runs that build any more

  status · diff [<from> <to>] · verify        what is live, what changed, and whether all of it is what its team signed
  versions · errors            what was published, admitted and promoted, by whom; what failed in browsers (with your key)
  usage · logs                 loads, failures and people by week; who did what, and what was refused (with your key)

  --portal https://…  --key <file>    or portal.config.json, or PORTAL_URL and PORTAL_KEY`

type Asked = { words: string[]; values: Given['values']; place: Place }
type Command = (asked: Asked) => Promise<number | undefined>

const say = (line: string) => console.log(line)

/** Connects to the portal with the caller's key. The module is the named one, or the one in the folder. */
function concerned({ words, place }: Asked) {
  const named = words[0]?.startsWith('mfe-') ? words.shift() : undefined
  const name = named ?? moduleIn(place.dir).name
  return { name, portal: connect(place.portal(), () => readKey(place.key())) }
}

const change =
  (action: 'rollback' | 'pin' | 'unpin' | 'disable' | 'enable'): Command =>
  async (asked) => {
    const { name, portal } = concerned(asked)
    const contract = action === 'rollback' ? majorAsked(asked.values.contract) : undefined
    const { message, generation } = await changeModule(portal, name, action, {
      ...(contract !== undefined && { contract }),
    })
    say(`${message ?? action} (generation ${generation})`)
    return undefined
  }

const look =
  (read: (portal: Portal, name: string) => Promise<string>): Command =>
  async (asked) => {
    const { name, portal } = concerned(asked)
    say(await read(portal, name))
    return undefined
  }

export const commands: Record<string, Command> = {
  new: async ({ words: [folder], values }) => {
    const { newModule } = await import('./new.ts')
    say(await newModule(folder, values.vendor))
    return undefined
  },
  words: async ({ place }) => {
    moduleIn(place.dir)
    const missing = await extractWords(place.dir)
    await compileWords(place.dir)
    say(
      missing.length
        ? `Without French in src/locales/fr.po:\n${missing.map((word) => `  ${word}`).join('\n')}`
        : 'English and French are complete.',
    )
    return undefined
  },
  build: async ({ place }) => {
    moduleIn(place.dir)
    const { record, fresh } = await buildModule(place.dir)
    say(`${record.name} ${record.version}: build ${record.build}${fresh ? '' : ', as it was'}.`)
    return undefined
  },
  test: async ({ words, place, values }) => {
    if (values.browser) {
      moduleIn(place.dir)
      const { testInBrowser } = await import('./browser/run.ts')
      return testInBrowser({ dir: place.dir, trusted: values.trusted ?? false, only: words })
    }
    const { testModule } = await import('./test-module.ts')
    return testModule(place.dir)
  },
  dev: async ({ place, values }) => {
    moduleIn(place.dir)
    const { serveModule } = await import('./dev.ts')
    const backends = readAddresses(values.backend)
    const port = Number(values.port ?? 5177)
    const alone = values.alone ?? false
    // With --alone the portal is a fake one, unless --portal names a real one.
    const portal = !alone || values.portal ? { portal: place.portal() } : {}
    await serveModule({ dir: place.dir, port, say, alone, backends, ...portal })
    return undefined
  },
  gallery: async ({ place, values }) => {
    const { serveGallery } = await import('./gallery/serve.ts')
    await serveGallery({ dir: place.dir, port: Number(values.port ?? 5178), say })
    return undefined
  },
  check: async ({ place, values }) => {
    moduleIn(place.dir)
    const built = await buildModule(place.dir)
    const portal = values.offline ? undefined : connectOrNot(place)
    const { checks } = await checkModule(place.dir, built, portal)
    say(findingsOf(checks))
    const failed = checks.filter(({ ok }) => !ok).length
    say(failed ? `${failed} of ${checks.length} gates are closed.` : 'Every gate is open.')
    return failed ? 1 : 0
  },
  upgrade: async ({ place: { dir }, values: { vendor, force = false } }) => {
    moduleIn(dir)
    const { upgradeModule, upgradePackages, upgradedText } = await import('./upgrade/upgrade.ts')
    if (vendor) {
      for (const line of await upgradePackages(dir, vendor, { force })) say(line)
      say('Next: npm install, and then npx portal-module upgrade, which is the one of these packages.')
      return undefined
    }
    const done = await upgradeModule(dir, { force })
    say(upgradedText(done))
    return done.left.length || done.others ? 1 : 0
  },
  import: async ({ words: [folder], values, place }) => {
    if (!folder) throw new Refusal('Say where the finished remote is: portal-module import ../weather/dist')
    const { importRemote } = await import('./remote/import.ts')
    const { folder: made, record } = await importRemote(folder, values, place.dir)
    const { name, version, build, files } = record
    say(
      `${name} ${version} is build ${build}: ${Object.keys(files).length} files with their hashes, in ${made}.`,
    )
    say(`Publish it from there: cd ${made} && portal-module publish --key <your key>`)
    return undefined
  },
  key: async ({ words: [id], values, place }) => {
    if (!id || !values.person)
      throw new Refusal('Say whose key it is: portal-module key awa-laptop --person "Awa Keïta"')
    const file = resolve(place.dir, values.to ?? `${id}.key.json`)
    const key = await makeKey(file, { id, person: values.person })
    const half = `${file.replace(/(\.key)?\.json$/, '')}.public.json`
    await writeFile(half, `${JSON.stringify(publicHalf(key))}\n`)
    say(`${file} is the private key: keep it to yourself, it is not for the repository.`)
    say(`${half} is for the operator of the portal, who lets it in with:`)
    say(
      `  npm run registry -- key:add ${id} --person "${values.person}" --modules ${moduleNameOr(place, 'mfe-…')} --public ${half}`,
    )
    return undefined
  },
  publish: async ({ place, values }) => {
    if (!values.build) moduleIn(place.dir)
    const built = values.build ? await readArtefact(resolve(place.dir, values.build)) : undefined
    const key = readKey(place.key())
    const done = await publishModule({
      ...{ dir: place.dir, portal: place.portal(), key, say },
      ...(built && { built }),
    })
    say(findingsOf(done.checks))
    say(done.message)
    return undefined
  },
  promote: async (asked) => {
    const { name, portal } = concerned(asked)
    const version = asked.words[0] ?? moduleIn(asked.place.dir).version
    const canary = canaryOf(asked.values.canary, asked.values.role)
    const done = await changeModule(portal, name, 'promote', {
      version,
      ...(canary && { canary }),
      ...(asked.values.downgrade && { downgrade: true }),
    })
    say(`${done.message} (generation ${done.generation})`)
    return undefined
  },
  rollback: change('rollback'),
  pin: change('pin'),
  unpin: change('unpin'),
  disable: change('disable'),
  enable: change('enable'),
  revoke: async (asked) => {
    const { name, portal } = concerned(asked)
    const [version] = asked.words
    if (!version || !asked.values.reason)
      throw new Refusal('Say which version and why: portal-module revoke 1.2.0 --reason "…"')
    const done = await revokeBuild(portal, name, version, asked.values.reason)
    say(`${done.message} (generation ${done.generation})`)
    return undefined
  },
  status: async ({ place }) => {
    say(statusText(await readStatus(connect(place.portal()))))
    return undefined
  },
  versions: look(versionsText),
  errors: look(errorsText),
  usage: look(usageText),
  logs: look(logsText),
  diff: async ({ words, place }) => {
    const portal = connect(place.portal())
    const to = Number(words[1] ?? (await readStatus(portal)).generation)
    const from = Number(words[0] ?? to - 1)
    if (!Number.isInteger(from) || !Number.isInteger(to))
      throw new Refusal('Say two generations: portal-module diff 12 13')
    say(await diffText(portal, from, to))
    return undefined
  },
  verify: async ({ place }) => {
    const { text, ok } = await verifyPortal(connect(place.portal()))
    say(text)
    return ok ? 0 : 1
  },
}

function moduleNameOr(place: Place, otherwise: string) {
  try {
    return moduleIn(place.dir).name
  } catch {
    return otherwise
  }
}
