import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { read } from '../deploy/chart.ts'
import { composed, type StoreService } from './programs.ts'

test('the image has the version of Node that everything is tested with', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  const [major] = (devDependencies.node ?? '').split('.')
  expect(read('deploy/compose/Dockerfile')).toContain(`FROM node:${major}-`)
})

test('an operator of containers backs up what the portal writes, without a right to change it', () => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml'), { merge: true })
  const { backup, api } = services
  expect(backup.profiles).toEqual(['backup'])
  expect(backup.secrets).toEqual(['database-owner'])
  expect(backup.volumes).toContain(`${api.volumes[0]}:ro`)
  expect(backup.environment.PORTAL_DATA_DIR).toBe(api.volumes[0].split(':')[1])
  expect(backup.image).toBe(services.database.image)
  const named = Object.values(services as Record<string, { volumes?: string[] }>)
    .flatMap((service) => service.volumes ?? [])
    .flatMap((volume) => /^[a-z]+(?=:)/.exec(volume) ?? [])
  expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
})

test('an operator who adds an object store has one that nobody else reaches, a bucket before the portal starts, and its backup', () => {
  const { services, volumes, secrets } = composed('store.yaml')
  const { store, bucket, api, worker, 'files-backup': backup } = services as Record<string, StoreService>
  for (const [name, service] of Object.entries({ store, bucket, backup })) {
    expect(service, name).not.toHaveProperty('ports')
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '1000:1000' })
    expect(service?.image, name).toMatch(/:\d+\.\d+$/)
  }
  // The worker and the api name what the store is told to make and to listen on.
  for (const program of [api, worker]) {
    const { S3_ENDPOINT, S3_FILES_BUCKET } = program?.environment ?? {}
    expect(S3_ENDPOINT).toBe('http://store:8333')
    expect(bucket?.entrypoint?.join(' ')).toMatch(
      new RegExp(`s3.bucket.create -name ${S3_FILES_BUCKET}'.*grep -q ${S3_FILES_BUCKET}$`, 's'),
    )
    expect(backup?.entrypoint?.join(' ')).toContain(`:s3:${S3_FILES_BUCKET} `)
    expect(backup?.environment?.RCLONE_S3_ENDPOINT).toBe(S3_ENDPOINT)
    expect(program?.depends_on).toEqual({ bucket: { condition: 'service_completed_successfully' } })
  }
  // With `-ip` alone its own probe would not reach it.
  for (const option of ['-s3.config=/run/secrets/store', '-ip=store', '-ip.bind=0.0.0.0'])
    expect(store?.command).toContain(option)
  expect(store?.volumes).toEqual(['store:/data'])
  expect(Object.keys(volumes)).toEqual(['store'])
  expect(backup?.profiles).toEqual(['backup'])
  // The page says how each file of secrets is made.
  const page = read('docs/operating/containers.md')
  for (const { file } of Object.values(secrets)) expect(page, file).toContain(`> ${file}`)
})

test('an operator of containers has logs that end, roles before the tables, and a proxy that finds a new api', () => {
  const { services } = composed('compose.yaml')
  const lasting = ['database', 'roles', 'release', 'prepare', 'api', 'worker', 'proxy']
  for (const name of lasting) expect(services[name], name).toMatchObject({ logging: { driver: 'local' } })
  expect(services.prepare?.depends_on?.roles?.condition).toBe('service_completed_successfully')
  // The account of PostgreSQL in its container cannot read the secrets, that of `roles` can.
  expect(services.database?.secrets).toEqual(['superuser'])
  expect(read('deploy/compose/nginx.conf')).toMatch(
    /resolver 127\.0\.0\.11 .*;\n.*set \$api http:\/\/api:8080;/,
  )
  // Timers of the host know no variables of a shell.
  const page = read('docs/operating/containers.md')
  for (const name of ['PORTAL_VERSION', 'COMPOSE_FILE'])
    expect(page).toMatch(new RegExp(`echo ${name}=.* >>? \\.env`))
  expect(page).not.toMatch(/export (PORTAL_VERSION|COMPOSE_FILE)/)
})
