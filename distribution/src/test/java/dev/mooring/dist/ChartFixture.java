package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.rights.RbacRole;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;

/** Base of tests of the chart as Helm renders it. */
abstract class ChartFixture {
  @BeforeAll
  static void requireHelm() {
    assumeTrue(
        RenderedChart.isHelmSupported(), "skipped: the Helm library supports Linux on amd64 only");
  }

  /** Asserts the restricted Pod Security Standard. */
  static void assertRestricted(JsonObject pod) {
    JsonObject security = pod.getAsJsonObject("securityContext");
    assertThat(security.get("runAsNonRoot").getAsBoolean()).isTrue();
    assertThat(security.getAsJsonObject("seccompProfile").get("type").getAsString())
        .isEqualTo("RuntimeDefault");
    assertThat(pod.has("hostNetwork") || pod.has("hostPID") || pod.has("hostIPC")).isFalse();
    for (JsonElement volume : pod.getAsJsonArray("volumes")) {
      assertThat(volume.getAsJsonObject().has("hostPath")).isFalse();
    }
    JsonObject containerSecurity =
        pod.getAsJsonArray("containers")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("securityContext");
    assertThat(containerSecurity.get("allowPrivilegeEscalation").getAsBoolean()).isFalse();
    assertThat(containerSecurity.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();
    assertThat(containerSecurity.getAsJsonObject("capabilities").get("drop").toString())
        .isEqualTo("[\"ALL\"]");
  }

  static List<RbacRule> rights(RenderedChart rendered) throws Exception {
    return switch (rendered.command()) {
      case "run" -> RunFlags.rights(rendered.flags());
      case "console" ->
          RunFlags.rightsOfPage(
              rendered.flags().stream()
                  .map(flag -> flag.replace("--listen=", "--console="))
                  .toList());
      default -> throw new IllegalArgumentException(rendered.command());
    };
  }

  static Set<String> neededRights(List<RbacRule> rights, boolean hasRecycler) {
    Set<String> needed = new TreeSet<>();
    for (RbacRole role : RbacRole.allowing(rights, List.of(RenderedChart.NAMESPACE))) {
      for (RbacRole.Rule rule : role.rules()) {
        for (Verb verb : rule.verbs()) {
          for (String resource : rule.resources()) {
            for (String name : rule.names().isEmpty() ? List.of("") : rule.names()) {
              needed.add(
                  RenderedChart.right(
                      verb.toString(), rule.group(), resource, name, role.namespace()));
            }
          }
        }
      }
    }
    needed.removeIf(right -> !hasRecycler && right.endsWith(" in default"));
    return needed;
  }
}
