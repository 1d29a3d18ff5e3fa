package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.doctor.CheckFinding.Outcome;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StorageCheckTest {
  private static Meta meta(String name, long created, Map<String, String> annotations) {
    return new Meta(
        ObjectKey.cluster(name), Uid.NONE, 1, created, 0, Map.of(), annotations, List.of());
  }

  private static StorageClass cls(String name, String provisioner, long created) {
    return new StorageClass(
        meta(name, created, Map.of("storageclass.kubernetes.io/is-default-class", "true")),
        provisioner,
        Map.of(),
        ReclaimPolicy.DELETE,
        List.of(),
        StorageClass.Binding.IMMEDIATE,
        false,
        List.of());
  }

  private static CsiDriver driver(String name) {
    return new CsiDriver(meta(name, 1, Map.of()), true, false);
  }

  private static CsiNode node(String... drivers) {
    return new CsiNode(
        meta("n", 1, Map.of()),
        Arrays.stream(drivers).map(name -> new CsiNode.Driver(name, "n", List.of(), -1)).toList());
  }

  private static StorageCheck check(
      List<StorageClass> classes, List<CsiDriver> drivers, List<CsiNode> nodes) {
    return new StorageCheck(
        classes, drivers, nodes, List.of(), List.of(), Set.of("plugin"), Instant.EPOCH);
  }

  private static List<CheckFinding> problems(StorageCheck check) {
    return check.results().stream().filter(one -> one.outcome() != Outcome.OK).toList();
  }

  @Test
  void classes_servedProvisioners_areOk() {
    for (String provisioner :
        List.of(
            "csi.example.com", "plugin", "kubernetes.io/no-provisioner", "kubernetes.io/aws-ebs")) {
      assertThat(
              problems(
                  check(
                      List.of(cls("c", provisioner, 1)),
                      List.of(driver("csi.example.com")),
                      List.of(node("csi.example.com", "ebs.csi.aws.com")))))
          .as(provisioner)
          .isEmpty();
    }
  }

  @Test
  void defaultClasses_several_namesTheNewest() {
    List<CheckFinding> problems =
        problems(
            check(List.of(cls("a", "plugin", 1), cls("b", "plugin", 2)), List.of(), List.of()));
    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().text()).contains("the newest counts: b");
  }

  @Test
  void driver_onNoNode_isReported() {
    assertThat(
            problems(
                check(List.of(cls("c", "plugin", 1)), List.of(driver("d")), List.of(node("e")))))
        .singleElement()
        .extracting(CheckFinding::check)
        .isEqualTo("CSI drivers");
  }
}
