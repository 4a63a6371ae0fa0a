/** Separates a sandboxed process from all but the disk: users, processes, network, outliving us. */

export function isolationArguments(options: { network: boolean; canDisableNesting: boolean }): string[] {
  return [
    "--unshare-user",
    // With capabilities, or with a user namespace of its own, it could take our mounts away again.
    ...["--cap-drop", "ALL"],
    ...(options.canDisableNesting ? ["--disable-userns"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(options.network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session"],
  ];
}
