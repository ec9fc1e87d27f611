import { describe, expect, test } from 'vitest'
import { BarChart } from './BarChart.tsx'
import { ColumnChart } from './ColumnChart.tsx'
import { click, draw } from './test-render.tsx'

const bars = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `cap ${at}`,
    label: `CAP ${at}`,
    value: count - at,
    shown: `${count - at}.00`,
  }))

describe('a bar chart', () => {
  test('somebody who listens hears each name with its figure', async () => {
    const { box, end } = await draw(<BarChart label="Money by CAP" bars={bars(3)} />)
    expect(box.querySelector('figure')?.getAttribute('aria-label')).toBe('Money by CAP')
    const lines = [...box.querySelectorAll('li')].map((line) => line.textContent)
    expect(lines).toEqual(['CAP 03.00', 'CAP 12.00', 'CAP 21.00'])
    expect(box.querySelector('button')).toBeNull()
    await end()
  })

  test('a long list is folded until somebody asks for all of it', async () => {
    const { box, end } = await draw(
      <BarChart
        label="Money by CAP"
        bars={bars(20)}
        fold={15}
        more={(count) => `Show all ${count}`}
        fewer="Show fewer"
      />,
    )
    const lines = () => box.querySelectorAll('li').length
    const button = box.querySelector('button')
    expect(lines()).toBe(15)
    expect(button?.textContent).toBe('Show all 20')
    await click(button)
    expect(lines()).toBe(20)
    expect(button?.getAttribute('aria-expanded')).toBe('true')
    await end()
  })

  test('a figure of nothing has no bar, and the longest fills its lane', async () => {
    const { box, end } = await draw(
      <BarChart
        label="Money"
        bars={[
          { key: 'a', label: 'A', value: 40, shown: '40' },
          { key: 'b', label: 'B', value: 0, shown: '0' },
        ]}
      />,
    )
    const fills = [...box.querySelectorAll<HTMLElement>('.fill')]
    expect(fills.map((fill) => fill.style.getPropertyValue('--part'))).toEqual(['1'])
    await end()
  })
})

test('a day without figures is drawn as a gap, not as nothing at all or zero', async () => {
  const { box, end } = await draw(
    <ColumnChart
      label="Attendance. Monday: 97%"
      series={[{ key: 'teachers', label: 'Teachers', tone: 'accent' }]}
      groups={[
        { key: 'mon', label: 'Mon', values: [0.97] },
        { key: 'tue', label: 'Tue', values: [null] },
      ]}
      format={(value) => `${Math.round(value * 100)}%`}
    />,
  )
  expect(box.querySelector('[role=img]')?.getAttribute('aria-label')).toContain('Monday: 97%')
  expect([...box.querySelectorAll('.value')].map((value) => value.textContent)).toEqual(['97%'])
  expect(box.querySelectorAll('.column.none')).toHaveLength(1)
  await end()
})
