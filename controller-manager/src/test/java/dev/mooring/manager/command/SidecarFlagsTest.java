package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Compares the table of sidecar flags in docs/csi-reference.md with the flags of this program. */
class SidecarFlagsTest {
  private static final Pattern FLAG = Pattern.compile("`(--[a-z0-9-]+)");
  private static final String BEGIN = "<!-- flags of the sidecars -->";
  private static final String END = "<!-- end of the flags -->";

  /** Returns the cells of each row: flag, sidecar, default, counterpart. */
  private static List<String[]> rows() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "csi-reference.md"));
    List<String[]> rows = new ArrayList<>();
    page.substring(page.indexOf(BEGIN), page.indexOf(END))
        .lines()
        .filter(line -> line.startsWith("| `--"))
        .forEach(line -> rows.add(line.split("\\|")));
    return rows;
  }

  private static List<String> flags(String cell) {
    return FLAG.matcher(cell).results().map((MatchResult r) -> r.group(1)).toList();
  }

  @Test
  void page_mooringFlags_exist() throws IOException {
    Set<String> known = CommandSpec.forAnnotatedObject(new RunCommand()).optionsMap().keySet();
    List<String> named = new ArrayList<>();
    for (String[] row : rows()) {
      named.addAll(flags(row[4]));
    }
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(known).containsAll(named);
  }

  /** Flags of the six programs; the common ones are those of csi-lib-utils and klog. */
  @Test
  void page_sidecarFlags_areComplete() throws IOException {
    List<String> described = new ArrayList<>();
    for (String[] row : rows()) {
      described.addAll(flags(row[1]));
    }
    assertThat(described)
        .doesNotHaveDuplicates()
        .contains(
            "--csi-address",
            "--kubeconfig",
            "--master",
            "--version",
            "--http-endpoint",
            "--metrics-address",
            "--metrics-path",
            "--kube-api-qps",
            "--kube-api-burst",
            "--leader-election",
            "--leader-election-namespace",
            "--leader-election-lease-duration",
            "--leader-election-renew-deadline",
            "--leader-election-retry-period",
            "--leader-election-labels",
            "--feature-gates",
            "--logging-format",
            "--automaxprocs",
            "--enable-pprof",
            "--v",
            "--timeout",
            "--retry-interval-start",
            "--retry-interval-max",
            "--worker-threads",
            "--workers",
            "--resync",
            "--resync-period",
            "--default-fstype",
            "--extra-create-metadata",
            "--volume-name-prefix",
            "--volume-name-uuid-length",
            "--cloning-protection-threads",
            "--snapshot-orphan-sweep-interval",
            "--strict-topology",
            "--immediate-topology",
            "--controller-publish-readonly",
            "--prevent-volume-mode-conversion",
            "--enable-capacity",
            "--capacity-threads",
            "--capacity-poll-interval",
            "--capacity-for-immediate-binding",
            "--capacity-ownerref-level",
            "--kube-api-capacity-qps",
            "--kube-api-capacity-burst",
            "--node-deployment",
            "--node-deployment-immediate-binding",
            "--node-deployment-base-delay",
            "--node-deployment-max-delay",
            "--reconcile-sync",
            "--max-entries",
            "--max-grpc-log-length",
            "--extra-modify-metadata",
            "--handle-volume-inuse-error",
            "--monitor-interval",
            "--list-volumes-interval",
            "--volume-list-add-interval",
            "--node-list-add-interval",
            "--enable-node-watcher",
            "--enable-distributed-snapshotting",
            "--retry-crd-interval-max",
            "--snapshot-name-prefix",
            "--snapshot-name-uuid-length",
            "--groupsnapshot-name-prefix",
            "--groupsnapshot-name-uuid-length");
  }
}
