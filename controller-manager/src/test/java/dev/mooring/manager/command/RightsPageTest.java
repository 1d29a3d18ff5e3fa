package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.manager.rights.RbacRole;
import dev.mooring.manager.rights.RoleManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares the tables of rights in docs with the declarations of the controllers. {@code
 * -Dmooring.write=docs} updates the docs.
 */
class RightsPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String DRIVER = "--csi-endpoint=hostpath.csi.k8s.io=unix:///csi/csi.sock";

  private static void verify(String page, String name, String wanted) throws IOException {
    Path file = DOCS.resolve(page);
    String text = Files.readString(file);
    String begin = "<!-- rights: " + name + " -->\n";
    assertThat(text).contains(begin);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end of rights -->", from);
    assertThat(to).as(page + " has " + begin).isGreaterThanOrEqualTo(from);
    if (System.getProperty("mooring.write", "").equals("docs")) {
      Files.writeString(file, text.substring(0, from) + wanted + text.substring(to));
      return;
    }
    assertThat(text.substring(from, to)).isEqualTo(wanted);
  }

  private static String row(RbacRule right) {
    String namespaceText =
        right.target().namespace().isEmpty() ? "" : " in " + right.target().namespace();
    return "`" + right.target() + "`" + namespaceText;
  }

  private static String table(String... flags) throws UsageException {
    Map<String, TreeSet<Verb>> verbs = new TreeMap<>();
    Map<String, TreeSet<String>> purposes = new TreeMap<>();
    for (RbacRule right : RunFlags.rights(List.of(flags))) {
      verbs.computeIfAbsent(row(right), r -> new TreeSet<>()).add(right.verb());
      purposes.computeIfAbsent(row(right), r -> new TreeSet<>()).add(right.purpose());
    }
    return "| Resource | Verbs | What does not work without |\n|---|---|---|\n"
        + verbs.entrySet().stream()
            .map(e ->
                "| "
                    + e.getKey()
                    + " | "
                    + e.getValue().stream().map(Verb::toString).collect(Collectors.joining(", "))
                    + " | "
                    + String.join("; ", purposes.get(e.getKey()))
                    + " |\n")
            .collect(Collectors.joining());
  }

  @Test
  void rightsPage_modeReplace_listsItsRights() throws Exception {
    verify("rights.md", "--mode=replace", table("--mode=replace"));
  }

  @Test
  void csiPage_oneDriver_listsItsRights() throws Exception {
    List<RbacRule> rights =
        RunFlags.rights(
            List.of(
                "--controllers=csi-bridge",
                DRIVER,
                "--leader-elect-resource-name=mooring-csi-hostpath",
                "--leader-elect-resource-namespace=csi"));
    verify(
        "csi-reference.md",
        "--controllers=csi-bridge",
        "```yaml\n"
            + new RoleManifest("mooring-csi", "mooring-csi", "csi")
                .toYaml(RbacRole.allowing(rights, List.of("csi")))
            + "```\n");
  }

  /** A controller without declared rights could not run with the printed roles. */
  @Test
  void rights_allControllers_areDeclared() throws Exception {
    List<RbacRule> all =
        RunFlags.rights(
            List.of("--controllers=*,selinux-warning-controller,snapshot-controller", DRIVER));
    assertThat(all)
        .extracting(RbacRule::purpose)
        .contains("binding claims to volumes", "creating, binding and deleting snapshots")
        .doesNotContain("");
  }

  @Test
  void rights_claimCondition_includeItsWrites() throws Exception {
    String purpose = "writing the condition Waiting of claims";
    assertThat(RunFlags.rights(List.of("--claim-condition")))
        .extracting(RbacRule::purpose)
        .contains(purpose);
    assertThat(RunFlags.rights(List.of("--claim-condition", "--compat=kcm")))
        .extracting(RbacRule::purpose)
        .doesNotContain(purpose);
    assertThat(RunFlags.rights(List.of())).extracting(RbacRule::purpose).doesNotContain(purpose);
  }
}
