import { development } from '@portal/sdk/development'
import module from 'portal-module'

declare const MODULE_NAME: string
/** The hash of the code that runs now. The bundler's runtime sets it. */
declare const __webpack_hash__: string

let wanted = __webpack_hash__
let under = Promise.resolve(true)

/** Takes every change up to the wanted one; false if one of them cannot be taken in place. */
async function catchUp(): Promise<boolean> {
  while (__webpack_hash__ !== wanted) if (!(await import.meta.webpackHot.check(true))) return false
  return true
}

const { modules } = development()
modules[MODULE_NAME] = {
  update(hash) {
    wanted = hash
    under = under.then((before) => before && catchUp()).catch(() => false)
    return under
  },
}
// The call must have this form, because the bundler's parser looks for it. It replaces the import by the new module.
import.meta.webpackHot.accept('portal-module', () => modules[MODULE_NAME]?.onRenewed?.())

// The export is always the newest module, so that a page which loads it again gets the changes.
export { module as default }
