/** One small file of each language, and the definitions that must be found in it: depth, kind and name. */

export interface Sample {
  readonly file: string;
  readonly text: string;
  readonly expected: readonly string[];
}

/** Definitions by the line. */
const outline = (text: string) => text.trim().split(/,\s+/);

export const samples: readonly Sample[] = [
  {
    file: "a.ts",
    text: `export interface Shape<T> {
  area(): number;
  name: string;
}
export type Id = string | number;
enum Color { Red }
export abstract class Base extends Other {
  constructor(private readonly a: string) { function local() {} }
  get value(): number { return 1; }
  handler = (e: Event) => { const inner = () => 1; };
  abstract run(a: number): void;
}
export default function main(): void { const f = () => 2; }
const arrow = async (x: number) => x;
const plain = 5;
export const limit = 5;
export const tool = make({ go() { return 1; }, stop: () => 2 });
const Memo = memo(() => null);
namespace Deep { export function inside() {} }
declare function declared(a: string): void;
`,
    expected: outline(`
      interface Shape, - method area, type Id, enum Color, class Base, - method constructor, - method value,
      - method handler, - method run, function main, function arrow, constant limit, constant tool,
      - method go, function Memo, namespace Deep, - function inside, function declared
    `),
  },
  {
    file: "a.tsx",
    text: "export const App: FC<Props> = ({ a }) => <div>{a}</div>;\nfunction Other() { return <p />; }\n",
    expected: outline("function App, function Other"),
  },
  {
    file: "a.js",
    text: `class A { static s = () => 1; m() {} }
function* g() {}
const h = function () {};
exports.k = () => 1;
A.prototype.late = function () {};
module.exports = { z() {} };
`,
    expected: outline(`
      class A, - method s, - method m, function g, function h, function k, function late, method z
    `),
  },
  {
    file: "a.py",
    text: `@decorator
class Foo(Bar):
    @property
    def name(self) -> str:
        def inner(): pass
        return inner

    async def run(self, a): ...

def top(a, *, b=1):
    return 1

f = lambda x: x
`,
    expected: outline("class Foo, - method name, - method run, function top, function f"),
  },
  {
    file: "a.go",
    text: `package main

type Server struct{ a int }
type Doer interface{ Do(x int) error }
type Id string

func New(a int) *Server { f := func() {}; f(); return nil }
func (s *Server) Run(ctx context.Context) error { return nil }

var handler = func(a int) {}
`,
    expected: outline(`
      struct Server, interface Doer, - method Do, type Id, function New, method Run, function handler
    `),
  },
  {
    file: "a.rs",
    text: `pub struct P { x: i32 }
pub enum E { A, B(i32) }
pub trait T: Clone { fn need(&self); }
impl T for P { fn need(&self) { fn inner() {} } }
mod tests { #[test] fn it() {} }
type X = i32;
macro_rules! m { () => {} }
pub fn k() {}
`,
    expected: outline(`
      struct P, enum E, trait T, - method need, impl P, - method need, module tests, - function it, type X,
      macro m, function k
    `),
  },
  {
    file: "a.java",
    text: `@Service
public class A<T> extends B {
  @Override
  public String toString() { return ""; }
  public A(int x) { new Thread() { public void run() {} }; }
  interface Inner { void go(); }
}
enum Kind { X, Y }
record Point(int x, int y) { int sum() { return x + y; } }
`,
    expected: outline(`
      class A, - method toString, - method A, - interface Inner, - - method go, enum Kind, class Point,
      - method sum
    `),
  },
  {
    file: "a.cpp",
    text: `#define MAX(a, b) ((a) > (b) ? (a) : (b))
namespace ns {
template <typename T> class Foo : public Bar {
public:
  Foo(int a);
  ~Foo();
  virtual int *get() const = 0;
  T &ref() { return x; }
};
enum class E { A };
const Foo<int> &Foo<int>::other() { return *this; }
} // namespace ns
using Alias = std::vector<int>;
`,
    expected: outline(`
      macro MAX, namespace ns, - class Foo, - - method Foo, - - method ~Foo, - - method get, - - method ref,
      - enum E, - function Foo<int>::other, type Alias
    `),
  },
  {
    file: "a.c",
    text: `static int
helper(int a)
{
  return a;
}
char **strings(void) { return 0; }
struct node { struct node *next; };
typedef struct node node_t;
int declared(int a);
`,
    expected: outline("function helper, function strings, struct node, type node_t, function declared"),
  },
  {
    file: "a.rb",
    text: `module M
  class Foo < Bar
    def initialize(a); end
    def self.build(*args); end
  end
end
def top; end
L = ->(x) { x }
`,
    expected: outline(`
      module M, - class Foo, - - method initialize, - - method build, function top, function L
    `),
  },
  {
    file: "a.cs",
    text: `namespace X {
  public class A<T> : B {
    public int P { get; set; }
    public A(int x) {}
    public async Task<int> Run(int a) { int Local() => 1; return Local(); }
  }
  public record R(int X);
  public interface I { void Go(); }
}
`,
    expected: outline(`
      namespace X, - class A, - - property P, - - method A, - - method Run, - class R, - interface I,
      - - method Go
    `),
  },
  {
    file: "a.php",
    text: `<?php
namespace App;
abstract class User extends Model {
  public function __construct(private string $a) {}
  abstract protected function name(): string;
}
trait T { function t() {} }
enum Suit: string { case A = 'a'; public function label(): string { return ''; } }
function top(int $a) { return $a; }
`,
    expected: outline(`
      namespace App, class User, - method __construct, - method name, trait T, - method t, enum Suit,
      - method label, function top
    `),
  },
  {
    file: "a.sh",
    text: "function one() { echo; }\ntwo() {\n  echo\n}\n",
    expected: outline("function one, function two"),
  },
  {
    file: "tool",
    text: "#!/usr/bin/env -S python3 -u\ndef main():\n    pass\n",
    expected: outline("function main"),
  },
];
