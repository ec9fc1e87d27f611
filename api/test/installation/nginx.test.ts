import { expect, test } from 'vitest'
import { read } from '../deploy/chart.ts'

test('an operator’s nginx starts: the buffers of an answer are as large as that of its head, which nginx asks for', () => {
  for (const file of ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf']) {
    const [, size] = /proxy_buffer_size (\w+);/.exec(read(`deploy/${file}`)) ?? []
    expect(/proxy_buffers \d+ (\w+);/.exec(read(`deploy/${file}`))?.[1], file).toBe(size)
  }
})

test('an operator’s nginx answers with a page that comes back by itself when no api does, in all files with the same words', () => {
  const pages = ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf'].map(
    (file) => /^ {2}location @away \{.*?^ {2}\}/ms.exec(read(`deploy/${file}`))?.[0],
  )
  expect(pages[0]).toContain('Retry-After 5')
  expect(new Set(pages).size).toBe(1)
})

test('an operator’s nginx masks links that let in whoever has them, in all files with the same words, for each of its servers', () => {
  const files = ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf']
  const masks = files.map(
    (file) => /^map \$uri \$masked_uri \{.*?^log_format portal [^\n]*/ms.exec(read(`deploy/${file}`))?.[0],
  )
  // `nginx.deploy.ts` runs them. Here: neither the address as it came, nor where people came from.
  expect(masks[0]).not.toMatch(/\$(request|request_uri|args|http_referer)\b/)
  expect(new Set(masks).size).toBe(1)
  for (const file of files) {
    const servers = read(`deploy/${file}`)
      .split(/^server \{$/m)
      .slice(1)
    expect(servers).toHaveLength(2)
    for (const server of servers) {
      expect(server.match(/^ *access_log .*/gm), file).toEqual([
        '  access_log /var/log/nginx/access.log portal;',
      ])
      expect(server.match(/^ *error_log .*/gm), file).toEqual(['  error_log /var/log/nginx/error.log crit;'])
    }
  }
})
