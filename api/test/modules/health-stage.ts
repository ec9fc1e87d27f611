import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { Client } from '../client.ts'
import type { Portal } from '../portal.ts'
import { release } from './modules.ts'

export const health = {
  name: 'mfe-health',
  version: '1.0.0',
  permissions: [
    { name: 'health.view', label: { en: 'View visits', fr: 'Voir les visites' } },
    { name: 'health.record', label: { en: 'Record visits', fr: 'Saisir des visites' } },
  ],
  collections: [{ name: 'visits', read: ['health.view', 'health.record'], write: 'health.record' }],
}
export const cases = { name: 'mfe-cases', version: '1.0.0' }
export const visits = '/modules/mfe-health/records/visits'

// Permissions of modules are not in the type `Permission`, so the tests cast them.
export const view = 'health.view' as Permission
export const record = 'health.record' as Permission

/** For tests of a module that keeps visits: it is live beside another one, and each test has an empty portal. */
export function healthStage(portal: Portal) {
  beforeAll(async () => {
    await release(portal.context.registry, health, cases)
    await followModules(portal.context)()
  })
  beforeEach(() => portal.clear())

  return {
    /** A browser or a server without a session, with cookies of somebody that count for nothing. */
    serverOf(person: Client, token: string) {
      const client = new Client(portal.http, portal.settings.apiBase)
      for (const [name, value] of person.cookies) if (name !== 'XSRF-TOKEN') client.cookies.set(name, value)
      client.headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
      return client
    },
  }
}
