package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.SampleObjects;
import dev.mooring.console.TestConsole;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.console.view.StorageExtension.Condition;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OverviewPageTest {
  private final TestConsole console = new TestConsole();

  @AfterEach
  void stop() {
    console.close();
  }

  private static SubjectRef claim(String name) {
    return new SubjectRef(Kind.CLAIM, ObjectKey.of("shop", name));
  }

  private void put(String name, ClaimPhase phase) {
    console.cluster().put(Kind.CLAIM, SampleObjects.claim("shop", name, 1, phase));
  }

  private void putWaiting(String name, String code, CauseRank rank, String message) {
    console
        .cluster()
        .explain(
            claim(name),
            new Explanation(
                claim(name),
                "Pending",
                1000,
                new Cause(code, rank, "meaning of " + code, ""),
                message,
                NextStep.NOTHING,
                Evidence.NONE,
                List.of()));
    put(name, ClaimPhase.PENDING);
  }

  @Test
  void sentence_threeOfFourClaimsWait_countsClaimsAndCauses() {
    putWaiting("a", "ClassMissing", CauseRank.MISCONFIGURED, "class gold not found");
    putWaiting("b", "ClassMissing", CauseRank.MISCONFIGURED, "class gold not found");
    putWaiting("c", "NoVolume", CauseRank.WAITING, "no volume");
    put("d", ClaimPhase.BOUND);
    console.start();
    assertThat(console.text("")).contains("3 of 4 claims wait; 2 causes");
    assertThat(console.page("")).contains("<p class=\"health misconfigured\">");
    assertThat(console.json("overview.json"))
        .containsEntry("summary", "3 of 4 claims wait; 2 causes");
  }

  @Test
  void sentence_oneClaimWaits_isSingular() {
    putWaiting("a", "NoVolume", CauseRank.WAITING, "no volume");
    console.start();
    assertThat(console.text("")).contains("1 of 1 claim waits; 1 cause ");
  }

  @Test
  void sentence_nothingWaits_isFine() {
    put("a", ClaimPhase.BOUND);
    console.start();
    assertThat(console.page("")).contains("<p class=\"health fine\">Nothing is waiting.</p>");
    assertThat(console.text("")).contains("1 claim 0 volumes");
  }

  @Test
  void causes_twoClaimsOfOneCause_areOneRowWithLinkToBoth() {
    putWaiting("a", "ClassMissing", CauseRank.MISCONFIGURED, "class gold not found");
    putWaiting("b", "ClassMissing", CauseRank.MISCONFIGURED, "class gold not found");
    putWaiting("c", "ClassMissing", CauseRank.MISCONFIGURED, "class silver not found");
    console.start();
    String page = console.page("");
    Matcher link = Pattern.compile("href=\"/console/(waiting\\?cause=[0-9a-f]+)\"").matcher(page);
    assertThat(link.find()).isTrue();
    assertThat(page).contains(">2 claims</a>", "href=\"/console/claims/shop/c\"");
    assertThat(console.text(link.group(1)))
        .contains("2 of 3 waiting", "class gold not found")
        .doesNotContain("silver");
  }

  @Test
  void causes_claimWaitsForClass_nameDeepestCause() {
    SubjectRef storageClass = new SubjectRef(Kind.STORAGE_CLASS, ObjectKey.cluster("gold"));
    Explanation classCause =
        SampleObjects.waiting(storageClass, "ProvisionerNotSeen", CauseRank.WAITING, 0);
    Explanation waiting =
        SampleObjects.waiting(claim("a"), "ExternalProvisioner", CauseRank.WAITING, 1000);
    console
        .cluster()
        .explain(claim("a"), waiting.withEvidence(Evidence.NONE.withBecause(List.of(classCause))));
    put("a", ClaimPhase.PENDING);
    console.start();
    assertThat(console.text("")).contains("← Class gold : meaning of ProvisionerNotSeen");
    assertThat(console.page("")).contains("href=\"/console/classes/gold\"");
  }

  @Test
  void alarms_unavailableDriver_namesDriverAndProblem() {
    console
        .cluster()
        .setExtensions(
            new StorageExtension(
                StorageExtension.ExtensionType.DRIVER,
                "disk.csi",
                "",
                "unix:///csi.sock",
                List.of(),
                new StorageExtension.Health(
                    Condition.FAILING, "unavailable", "connection refused", 0, 0)));
    console.start();
    assertThat(console.text(""))
        .contains(
            "CSI driver disk.csi is unavailable: connection refused",
            "1 plugin or driver : 0 working, 1 not available");
  }

  @Test
  void speed_claimBoundWhileWatched_isMeasuredInMilliseconds() {
    console.start();
    long now = System.currentTimeMillis() / 1000;
    console
        .cluster()
        .put(
            Kind.CLAIM,
            SampleObjects.claim(
                SampleObjects.meta("shop", "a", 1, now), "", "", ClaimPhase.PENDING));
    console
        .cluster()
        .put(
            Kind.CLAIM,
            SampleObjects.claim(
                SampleObjects.meta("shop", "a", 2, now), "", "v", ClaimPhase.BOUND));
    assertThat(console.text(""))
        .contains("Throughput")
        .containsPattern("Time to bound 1 claim: median \\d+ ms, 95% within \\d+ ms");
    assertThat(console.page("")).contains("<svg class=\"bar\"");
    assertThat(console.json("overview.json"))
        .extractingByKey("timeToBound")
        .asString()
        .contains("p50Milliseconds");
  }
}
