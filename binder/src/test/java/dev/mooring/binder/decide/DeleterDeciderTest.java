package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.binder.decide.DeleterDecider.LoadedPlugin;
import dev.mooring.binder.decide.DeleterDecider.PluginCandidates;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Deleters of volumes. */
class DeleterDeciderTest {
  private static final String IN_TREE = "kubernetes.io/host-path";
  private static final LoadedPlugin DELETES = new LoadedPlugin("p", true);
  private static final LoadedPlugin KEEPS = new LoadedPlugin("q", false);
  private static final BinderPolicy KUBERNETES = new BinderPolicy(Compat.KUBERNETES, true);

  private static Volume provisionedBy(String provisioner, VolumeSource source) {
    return volume(
        "v", "1Gi", v -> v.source(source).annotation(BinderMarks.PROVISIONED_BY, provisioner));
  }

  private static Volume of(VolumeSource source) {
    return volume("v", "1Gi", v -> v.source(source));
  }

  private static PluginCandidates provisioner(LoadedPlugin plugin) {
    return new PluginCandidates(Optional.of(plugin), List.of());
  }

  private static PluginCandidates supporting(LoadedPlugin... plugins) {
    return new PluginCandidates(Optional.empty(), List.of(plugins));
  }

  private static DynamicTest row(
      String title, Volume volume, PluginCandidates loaded, BinderPolicy policy, String expected) {
    return dynamicTest(
        title,
        () ->
            assertThat(describe(DeleterDecider.decide(volume, loaded, policy)))
                .startsWith(expected));
  }

  private static String describe(DeleterVerdict verdict) {
    return switch (verdict) {
      case DeleterVerdict.Plugin(String name) -> name;
      case DeleterVerdict.Others() -> "others";
      case DeleterVerdict.NoDeleter(String message) -> "none: " + message;
    };
  }

  @TestFactory
  Stream<DynamicTest> decide_eachOrigin_returnsDeleter() {
    VolumeSource path = VolumeSource.hostPath("/tmp/x");
    VolumeSource csi = VolumeSource.csi("d", "h");
    BinderPolicy mooring = BinderPolicy.DEFAULTS;
    return Stream.of(
        row("R1 its maker", provisionedBy("p", path), provisioner(DELETES), mooring, "p"),
        row(
            "R1 its maker, for any source",
            provisionedBy("p", csi),
            provisioner(DELETES),
            mooring,
            "p"),
        row(
            "R2 its maker cannot delete",
            provisionedBy("q", path),
            provisioner(KEEPS),
            mooring,
            "none: no deletable"),
        row("R3 served by a driver", provisionedBy(IN_TREE, csi), supporting(), mooring, "others"),
        row(
            "R3 as Kubernetes",
            provisionedBy(IN_TREE, csi),
            supporting(),
            KUBERNETES,
            "none: no volume"),
        row(
            "R4 in-tree, not loaded",
            provisionedBy(IN_TREE, path),
            supporting(),
            mooring,
            "none: no volume"),
        row(
            "R5 some other provisioner",
            provisionedBy("x/y", path),
            supporting(),
            mooring,
            "others"),
        row("R6 a CSI volume", of(csi), supporting(), mooring, "others"),
        row(
            "R6 moved to a driver",
            volume("v", "1Gi", v -> v.source(path).annotation(CsiMigration.MIGRATED_TO, "d")),
            supporting(),
            mooring,
            "others"),
        row(
            "R7 no plugin supports it",
            of(path),
            supporting(),
            mooring,
            "none: error getting deleter"),
        row("R8 one plugin supports it", of(path), supporting(DELETES), mooring, "p"),
        row(
            "R9 one plugin supports it and cannot delete",
            of(path),
            supporting(KEEPS),
            mooring,
            "none: error"),
        row(
            "R10 two plugins support it",
            of(path),
            supporting(DELETES, KEEPS),
            mooring,
            "none: error getting deleter volume plugin for volume \"v\": multiple"));
  }
}
