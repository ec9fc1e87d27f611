import * as sdk from '@portal/sdk'
import { setupI18n } from '@lingui/core'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, Outlet } from 'react-router-dom'
import { loadBuild } from './platform/federation.ts'
import { guardHead } from './platform/integrity.ts'
guardHead()
const registry = JSON.parse(document.getElementById('registry')!.textContent!)
sdk.i18n.loadAndActivate({ locale: 'en', messages: {} })
const m = registry.modules.find((x: any) => x.name === 'mfe-transfers')
const mod: any = await loadBuild(m)
const Page = (await mod.routes({})[0].page()).default
const router = createBrowserRouter([{ path: '*', Component: () => <Page /> }])
createRoot(document.getElementById('root')!).render(<sdk.I18nProvider i18n={sdk.i18n}><RouterProvider router={router} /></sdk.I18nProvider>)
