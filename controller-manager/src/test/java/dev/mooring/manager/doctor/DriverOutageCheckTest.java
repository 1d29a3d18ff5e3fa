package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.manager.doctor.CheckFinding.Outcome;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.testkit.TestObjects;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverOutageCheckTest {
  private static final long NOW = 10_000;
  private static final String NOTE =
      "CSI driver disk.csi is unavailable: connection refused; Mooring calls it again every second";

  private static Meta meta(String namespace, String name) {
    return TestObjects.metaOf(new ObjectKey(namespace, name)).uid("uid-" + name).meta();
  }

  private static StorageClass diskClass() {
    return TestObjects.storageClass(meta("", "disk")).provisioner("disk.csi").build();
  }

  private static Claim claim(String name, String volume) {
    return TestObjects.claim(meta("ns", name)).storageClass("disk").volumeName(volume).build();
  }

  private static List<CheckFinding> check(
      List<Claim> claims, List<Attachment> attachments, EventReader events)
      throws InterruptedException {
    return new DriverOutageCheck(
            List.of(diskClass()), claims, attachments, Instant.ofEpochSecond(NOW))
        .results(events);
  }

  private static EventReader events(String reason, long lastSeen) {
    return (key, uid) ->
        new ReadResult.Found<>(
            List.of(
                new PastEvent(Uid.of("event"), ClusterEvent.Type.WARNING, NOTE, reason, lastSeen)));
  }

  @Test
  void waitingClaims_recentReport_fails() throws Exception {
    assertThat(
            check(
                List.of(claim("a", ""), claim("b", "")),
                List.of(),
                events("DriverUnavailable", NOW - 600)))
        .containsExactly(
            new CheckFinding(
                "CSI drivers",
                Outcome.FAIL,
                "CSI driver disk.csi is unavailable: connection refused; 2 objects wait for it",
                "check the driver's pod and socket"));
  }

  @Test
  void waitingAttachment_recentReport_fails() throws Exception {
    Attachment attachment =
        TestObjects.attachment(meta("", "a"))
            .attacher("disk.csi")
            .volumeName("v")
            .nodeName("n")
            .build();
    assertThat(check(List.of(), List.of(attachment), events("DriverUnavailable", NOW)))
        .extracting(CheckFinding::text)
        .singleElement()
        .asString()
        .endsWith("; 1 object waits for it");
  }

  @Test
  void waitingClaim_oldOrOtherReport_isIgnored() throws Exception {
    List<Claim> waiting = List.of(claim("a", ""));
    assertThat(check(waiting, List.of(), events("DriverUnavailable", NOW - 1000))).isEmpty();
    assertThat(check(waiting, List.of(), events("ProvisioningFailed", NOW))).isEmpty();
    assertThat(check(waiting, List.of(), (key, uid) -> new ReadResult.Failed<>("forbidden")))
        .isEmpty();
  }

  @Test
  void boundClaim_recentReport_isIgnored() throws Exception {
    assertThat(check(List.of(claim("a", "v")), List.of(), events("DriverUnavailable", NOW)))
        .isEmpty();
  }
}
