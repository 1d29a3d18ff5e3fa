package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.Granted;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.Identity.Ability;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A CSI driver is driven with the rights that are declared for it. */
@Timeout(300)
class CsiRightsTest {
  private static final Settings ABLE =
      Settings.of(
          CsiCluster.DRIVER,
          Ability.CONTROLLER_SERVICE,
          Ability.CREATE_DELETE_VOLUME,
          Ability.PUBLISH_UNPUBLISH_VOLUME,
          Ability.EXPAND_VOLUME,
          Ability.MODIFY_VOLUME,
          Ability.GET_CAPACITY,
          Ability.LIST_VOLUMES,
          Ability.LIST_VOLUMES_PUBLISHED_NODES);

  /** What a volume's life does not take: snapshots, events told again. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "patch events.events.k8s.io",
          "get volumesnapshots.snapshot.storage.k8s.io",
          "list volumesnapshots.snapshot.storage.k8s.io",
          "patch volumesnapshots.snapshot.storage.k8s.io",
          "get volumesnapshotcontents.snapshot.storage.k8s.io",
          "patch csistoragecapacities.storage.k8s.io in default",
          "get csistoragecapacities.storage.k8s.io in default");

  /** What binds and attaches, as somebody who may do everything: its requests do not count. */
  private static final String[] BESIDE = {
    "--endpoints=off",
    "--leader-elect=false",
    "--controllers=persistentvolume-binder-controller,persistentvolume-attach-detach-controller,persistentvolumeclaim-protection-controller,persistentvolume-protection-controller"
  };

  @TempDir private Path folder;

  @Test
  void aVolumeLivesWithTheRightsThatAreDeclared() throws Exception {
    Path log = folder.resolve("audit.log");
    try (CsiCluster cluster =
            new CsiCluster(folder, 1, CsiCluster.Known.reference(false), Granted.config(log));
        Granted granted = Granted.on(log, cluster.server());
        ReferenceDriver driver = cluster.driver(ABLE)) {
      List<String> flags =
          List.of(
              "--endpoints=off",
              "--controllers=csi-bridge",
              "--enable-capacity",
              "--capacity-namespace=default",
              cluster.endpointFlag());
      Path kubeconfig = granted.kubeconfig(folder, flags, right -> false);
      secret(cluster);
      Manager others = manager(cluster.kubeconfig(), "Java-http-client", List.of(BESIDE));
      Manager manager = manager(kubeconfig, "test", flags);
      try {
        others.start();
        manager.start();
        life(cluster);
      } finally {
        manager.stop();
        others.stop();
      }
      assertThat(driver.calls()).isNotEmpty();
      assertThat(granted.refused()).as("refused").isEmpty();
      Set<String> unused = new TreeSet<>(granted.granted());
      unused.removeAll(granted.used());
      unused.removeAll(ELSEWHERE);
      assertThat(unused).as("unused").isEmpty();
      assertThat(granted.granted()).as("what is needed all the same").containsAll(ELSEWHERE);
    }
  }

  private static Manager manager(Path kubeconfig, String userAgent, List<String> flags)
      throws Exception {
    return RunFlags.manager(
        flags, Resources.csiPlugins(), KubeConnection.ofFiles(List.of(kubeconfig), "", userAgent));
  }

  private static void secret(CsiCluster cluster) throws Exception {
    cluster.create(
        KindCatalogue.SECRETS,
        "{\"metadata\": {\"name\": \"s\"}, \"data\": {\"key\": \"dmFsdWU=\"}}");
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "secret"}, "provisioner": "%s", "allowVolumeExpansion": true, "reclaimPolicy": "Delete",
         "parameters": {"csi.storage.k8s.io/provisioner-secret-name": "s", "csi.storage.k8s.io/provisioner-secret-namespace": "default"}}
        """
            .formatted(CsiCluster.DRIVER));
    cluster.attributesClass("gold", "100");
    cluster.attributesClass("silver", "50");
  }

  private static void life(CsiCluster cluster) throws Exception {
    cluster.claim("a", "secret");
    cluster.pod("a", "a");
    cluster.until("the pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
    cluster.grow("a", "2Gi");
    cluster.until("it has grown", () -> cluster.given("2Gi") == 1);
    cluster.modify("a", "copper");
    cluster.until(
        "it waits for a class that is not there",
        () ->
            cluster.having(
                    KindCatalogue.CLAIMS, "Pending", "status", "modifyVolumeStatus", "status")
                == 1);
    cluster.modify("a", "gold");
    cluster.until(
        "it is gold",
        () ->
            cluster.having(
                    KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                == 1);
    cluster.until("room is told of", () -> !cluster.isEmpty(KindCatalogue.CAPACITIES));
    cluster.delete(KindCatalogue.CLASSES, "later");
    cluster.until("no room for it", () -> cluster.isEmpty(KindCatalogue.CAPACITIES));
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.until("it is taken back", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    cluster.until("everything is gone", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
  }
}
