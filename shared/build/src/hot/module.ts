import { development } from '@portal/sdk/development'
import module from 'portal-module'

declare const MODULE_NAME: string
/** Of the code that runs now, known to the bundler's runtime. */
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
// As the bundler's parser knows it: it makes the import the new one.
import.meta.webpackHot.accept('portal-module', () => modules[MODULE_NAME]?.onRenewed?.())

// Always the newest: whoever loads the module again gets what has changed.
export { module as default }
