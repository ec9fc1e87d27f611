import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPost } from '../../letters/post.ts'
import { endAgency, launchAgency, startAgency } from '../../transfers/agencies/agency.ts'
import { startDebianPostgres } from '../debian-postgres.ts'
import { makeCertificate } from '../shape/nginx.ts'
import { makeAddresses, relay } from './addresses.ts'
import type { Secrets } from './cluster.ts'

type AtEnd = (end: () => Promise<unknown>) => void
const portOf = (url: string) => Number(new URL(url).port)

/** What a cluster has besides the chart, with the names and ports of docs/operating/kubernetes.md: database, store, mail server and agency. */
export async function startSurroundings(folder: string, atEnd: AtEnd) {
  const number = process.pid % 250
  const net = `10.213.${number}`
  const at = {
    'portal-database-rw': `${net}.10`,
    's3.example.org': `${net}.11`,
    'mail.example.org': `${net}.12`,
    'portal.example.org': `${net}.13`,
    // Agencies are on the internet, else the portal refuses them. Servers of names for private addresses have this net.
    'api.agency.example': `192.31.196.${number}`,
  }
  makeAddresses(Object.values(at), atEnd)
  const certificate = makeCertificate(folder, ...Object.keys(at))
  const debian = await startDebianPostgres()
  const post = await startPost()
  atEnd(async () => post.close())
  const agency = await startAgency()
  atEnd(() => agency.close())
  const s3Secret = randomBytes(20).toString('hex')
  const buckets = { OBJECT_STORE_SECRET: s3Secret, OBJECT_STORE_BUCKETS: 'portal-files,portal-modules' }
  const store = await launchAgency(buckets, 'store')
  atEnd(() => endAgency(store.child, 'SIGKILL'))
  await relay({ address: at['portal-database-rw'], port: 5432, to: debian.port, atEnd })
  for (const [name, port, to] of [
    ['s3.example.org', 443, portOf(store.url)],
    ['mail.example.org', 465, portOf(post.url)],
    ['api.agency.example', 443, portOf(agency.url)],
  ] as const)
    await relay({ address: at[name], port, to, atEnd }, certificate)
  return {
    at,
    /** A network for pods. */
    subnet: `10.214.${number}.0/24`,
    certificate,
    post,
    agency,
    s3Secret,
    superuserUrl: `postgresql://postgres@127.0.0.1:${debian.port}/portal`,
    /** Makes the database as CloudNativePG does by database.yaml: an owner and a role by their secrets, UTF-8, and sorted by bytes. */
    async makeDatabase(secrets: Secrets) {
      const { superuser, data } = debian
      const access = 'host all postgres 127.0.0.1/32 trust\nhost all all all scram-sha-256\n'
      writeFileSync(join(data, 'pg_hba.conf'), access)
      await superuser.query('select pg_reload_conf()')
      for (const role of ['owner', 'app']) {
        const word = Buffer.from(secrets[`portal-${role}`]?.password ?? '', 'base64').toString()
        await superuser.query(`alter role portal_${role} password '${word}'`)
      }
      await superuser.query(
        "create database portal owner portal_owner encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0",
      )
    },
  }
}
