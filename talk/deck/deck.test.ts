import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { concernColors } from '../../app/concern-colors.ts'
import { concerns } from '../../app/concerns.ts'
import { steps } from '../../app/steps.ts'
import { placeOf } from './diagram.ts'
import { chooseLines, renderDiff } from './diff.ts'
import { renderInline } from './markdown.ts'
import { lengths, paragraphOf, readScript } from './script.ts'
import { makeSlides } from './slides.ts'

const script = readScript()
const move = { concern: 'apm', to: 'sidecar' }
const diff = `diff --git a/app/route.ts b/app/route.ts
--- a/app/route.ts
+++ b/app/route.ts
@@ -1 +1 @@
-old
+new
diff --git a/app/concerns/apm/sidecar.ts b/app/concerns/apm/sidecar.ts
+++ b/app/concerns/apm/sidecar.ts
+export
`

test('the script has a plan for each length, and a part for each step with a question and what the room sees', () => {
  for (const length of lengths)
    assert.equal(
      script.reduce((sum, { minutes }) => sum + minutes[length], 0),
      Number(length),
    )
  for (const { number, name } of steps) {
    const part = script.find(({ title }) => title === `Step ${number}: ${name}`)
    assert.ok(part, name)
    for (const word of ['Question', 'The room sees', 'Show'])
      assert.ok(paragraphOf(part, word), `${name}: ${word}`)
  }
})

test('a deck has for each step the processes, the code, the stage, and its question with both figures', () => {
  const slides = makeSlides({ length: '40', diffOf: () => diff, stageUrl: 'http://127.0.0.1:4317/#token' })
  const seconds = slides.reduce((sum, slide) => sum + slide.seconds, 0)
  assert.equal(Math.round(seconds / 60), 40)
  const ofApm = slides.filter(({ part }) => part === 'Step 5: apm').map(({ content }) => String(content))
  assert.equal(ofApm.length, 4)
  const [processes = '', code = '', stage = '', figures = ''] = ofApm
  assert.match(processes, /apm-agent<\/h3><div class="chips"><span class="chip moved"[^>]*>metrics, traces</)
  assert.match(code, /<code class="added">\+<i class="word">export<\/i><\/code>/)
  assert.match(stage, /data-url="http:\/\/127.0.0.1:4317\/#token"/)
  assert.match(figures, /1,350\/s.*from 1078: 1\.25 × as many/s)
  assert.match(
    String(slides.find(({ part }) => part === 'Step 5: apm')?.notes),
    /<strong>Press<\/strong> <code>5<\/code>/,
  )
  // Each step says what it moves in a sentence of its own.
  const titles = slides.filter(({ content }) => String(content).includes('class="processes"'))
  assert.equal(new Set(titles.map(({ title }) => title)).size, steps.length)
  assert.ok(titles.every(({ title }) => !title.includes(' is now ')))
  // Step 6 is about pages.
  const last = slides.findLast(({ part }) => part === 'Step 6: rendering')
  assert.match(String(last?.content), /What a \/page costs.*× less than at step 5/s)
  const short = makeSlides({ length: '10', diffOf: () => diff, stageUrl: '' })
  assert.ok(!short.some(({ part }) => part === 'Step 2: serialization'))
})

test('every concern has a place at every step, and leaves the main thread at the step that moves it away', () => {
  for (const concern of concerns)
    assert.equal(placeOf(concern, (steps[0] as (typeof steps)[0]).composition), 'main thread')
  const last = steps.at(-1) as (typeof steps)[0]
  assert.deepEqual(
    concerns.filter(concern => placeOf(concern, last.composition) === 'main thread'),
    ['framework'],
  )
})

test('the lines of a slide begin with the files of the concern, and say what was left out', () => {
  assert.deepEqual(chooseLines(diff, move), [
    '@ app/concerns/apm/sidecar.ts',
    '+export',
    '@ app/route.ts',
    '-old',
    '+new',
  ])
  const long = `${diff}${'+more\n+import a from b\n'.repeat(50)}`
  assert.equal(chooseLines(long, move).length, 24)
  assert.equal(chooseLines(long, move).at(-1), '@ … and 32 more lines of 2 files')
})

test('a line that is too long goes on in the next, a comment of several lines is broken anew, and its tags are not joined', () => {
  const words = 'word '.repeat(25).trim()
  const lines = chooseLines(
    `${diff}+  // ${words}\n+  call(${words})\n+ * one\n+ * two ${words}\n+ * three\n+ * @throws\n`,
    move,
  )
  assert.ok(lines.every(line => line.length <= 108))
  assert.deepEqual(
    lines.slice(2, 9).map(line => line.slice(0, 14)),
    [
      ...['+  // word wor', '+  // word wor', '+  call(word w', '+    word word'],
      ...['+ * one two wo', '+ * word word ', '+ * @throws'],
    ],
  )
})

test('the code of a slide has comments, texts and words of the language in their colours, and is escaped', () => {
  const code = String(renderDiff(["+const a = 'b' // <c>", '+ * told', '@ app/for.ts']))
  assert.match(
    code,
    /<i class="word">const<\/i> a = <i class="text">&#39;b&#39;<\/i> <i class="comment">\/\/ &lt;c&gt;<\/i>/,
  )
  assert.match(code, /<i class="comment">\+ \* told<\/i>/)
  assert.match(code, /<code class="place">@ app\/for.ts<\/code>/)
})

test('Markdown of the script becomes HTML, and its text is escaped', () => {
  assert.equal(
    renderInline('**Press** `5`, _Break_ <b> [here](x.md)').join(''),
    '<strong>Press</strong> <code>5</code>, <em>Break</em> &lt;b&gt; here',
  )
})

test('the threads of a concern have the colour on the stage that the concern has everywhere', () => {
  const css = readFileSync(join(import.meta.dirname, '../../screen/page/colors.css'), 'utf8')
  for (const concern of ['compute', 'rendering'] as const)
    assert.equal(new RegExp(`--${concern}: (#\\w+);`).exec(css)?.[1], concernColors[concern].fill)
})
