// Small files that nearly everything imports. Injected everywhere, they become
// one chunk. Otherwise esbuild makes a chunk for each combination of programs
// and lazy parts that import one of them.
import '../src/base/cancellation.ts';
import '../src/base/clock.ts';
import '../src/base/errors.ts';
import '../src/base/event.ts';
import '../src/base/l10n.ts';
import '../src/base/lazily.ts';
import '../src/base/loopback.ts';
import '../src/base/plainText.ts';
import '../src/base/same.ts';
import '../src/base/secret.ts';
import '../src/base/serial.ts';
import '../src/files/configPath.ts';
import '../src/files/homeFolder.ts';
import '../src/files/systemErrors.ts';
import '../src/mcp/format/variables.ts';
import '../src/mcp/text/refusal.ts';
import '../src/mcp/text/withEdits.ts';
