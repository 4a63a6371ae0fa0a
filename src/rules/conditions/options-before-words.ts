/** Options that take the next word and may stand before a subcommand: `kubectl -n prod delete`. */
import { wordSet } from "../../core/text/words.ts";

const containers = wordSet(
  "-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey --connection --url " +
    "-f --file -p --project-name --project-directory --profile --env-file --parallel --ansi --progress",
);
const cluster = wordSet(
  "-n --namespace --context --kube-context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid " +
    "--request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name",
);
const forge = wordSet("-R --repo --hostname");
const terraform = wordSet("-chdir");

const valueOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "git",
    wordSet(
      "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source --shallow-file",
    ),
  ],
  [
    "npm",
    wordSet(
      "--prefix -C -w --workspace --registry --userconfig --globalconfig --cache --loglevel --script-shell --otp --tag",
    ),
  ],
  ["pnpm", wordSet("--filter -F --filter-prod -C --dir --loglevel --reporter --registry --prefix")],
  ["yarn", wordSet("--cwd --registry --use-yarnrc --cache-folder --modules-folder")],
  ["bun", wordSet("--cwd -c --config --filter -F")],
  ["docker", containers],
  ["podman", containers],
  ["docker-compose", containers],
  ["kubectl", cluster],
  ["oc", cluster],
  ["helm", cluster],
  ["gh", forge],
  ["glab", forge],
  ["aws", wordSet("--profile --region --output --endpoint-url --query --ca-bundle --color")],
  [
    "gcloud",
    wordSet("--project --account --configuration --format --verbosity --impersonate-service-account"),
  ],
  ["az", wordSet("--subscription --output -o --query")],
  ["cargo", wordSet("--config -Z --color -C --manifest-path --target-dir")],
  ["terraform", terraform],
  ["tofu", terraform],
  ["go", wordSet("-C")],
  ["make", wordSet("-C --directory -f --file --makefile -I --include-dir -j --jobs -o -W -l")],
  ["uv", wordSet("--directory --project --python -p --config-file --cache-dir")],
  ["poetry", wordSet("-C --directory -P --project")],
  ["pip", wordSet("--python --proxy --log --cache-dir --timeout --retries")],
  ["hg", wordSet("-R --repository --cwd --config")],
  ["systemctl", wordSet("-H --host -M --machine -t --type --root --image")],
  ["fly", wordSet("-a --app -c --config -t --access-token")],
  ["heroku", wordSet("-a --app -r --remote")],
  ["pulumi", wordSet("-C --cwd -s --stack")],
  ["vercel", wordSet("--cwd -t --token -S --scope -A --local-config")],
  ["mvn", wordSet("-f --file -pl --projects -P --activate-profiles -s --settings -T --threads")],
  ["gradle", wordSet("-p --project-dir -b --build-file -c --settings-file -I --init-script -g")],
]);

/** Of git every option before the subcommand is known; of others there may be more. */
export function knowsAllOptions(program: string): boolean {
  return program === "git";
}

export function hasSubcommands(program: string): boolean {
  return valueOptions.has(program);
}

/** `-n` of kubectl: the next word is its value. */
export function takesNextWord(program: string, option: string): boolean {
  return valueOptions.get(program)?.has(option) === true;
}

/** Words that are neither an option nor an operand: `cargo +nightly publish`, `make CC=cc deploy`. */
export function isSetting(program: string, word: string): boolean {
  if (program === "cargo") return word.startsWith("+");
  return program === "make" && /^\w+[:+?]{0,3}=/.test(word);
}
