package dev.mooring.manager.grow;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Requests the size of one claim after another, and waits until each has it. */
record ClaimWait(
    GrowthCluster cluster, GrowthRequest request, Time time, Pace pace, Consumer<String> output) {

  void grow(Claim first) throws GrowthStoppedException, InterruptedException {
    ObjectKey key = first.key();
    long startNanos = time.nanos();
    String cause = "no answer yet";
    Claim claim = first;
    while (true) {
      ClaimGrowth growth = new ClaimGrowth(claim, request.size());
      Optional<String> problem = growth.problem(Map.of());
      if (problem.isPresent()) {
        throw new GrowthStoppedException(problem.get());
      }
      Duration elapsed = Duration.ofNanos(time.nanos() - startNanos);
      switch (growth.state()) {
        case GROWN -> {
          report(first, "grown from %s to %s in %s", elapsed);
          return;
        }
        case NODE_PENDING -> {
          report(
              first,
              "volume grown from %s to %s in %s; the kubelet grows the file system when a pod uses the claim",
              elapsed);
          return;
        }
        case UNREQUESTED -> cause = requestSize(claim);
        case GROWING -> cause = "it has " + claim.status().storage();
      }
      if (elapsed.compareTo(pace.timeout()) > 0) {
        throw timedOut(key, elapsed, cause);
      }
      time.sleep(pace.pause());
      switch (cluster.readClaim(key)) {
        case ReadResult.Found<Claim>(Claim current) -> claim = current;
        case ReadResult.Absent<Claim> _ -> {
          return; // the next plan is without it
        }
        case ReadResult.Failed<Claim>(String message) -> cause = message;
      }
    }
  }

  private void report(Claim first, String text, Duration elapsed) {
    output.accept(
        "claim "
            + first.key().name()
            + ": "
            + text.formatted(
                first.status().storage(), request.size(), GrowthText.elapsed(elapsed)));
  }

  private String requestSize(Claim claim) throws GrowthStoppedException, InterruptedException {
    WriteResult<Claim> result =
        cluster.patchClaim(
            claim.key(),
            Document.patchOf(claim.meta())
                .set(request.size().toString(), "spec", "resources", "requests", "storage"));
    if (result instanceof WriteResult.Rejected<Claim>(int code, String message)) {
      throw new GrowthStoppedException(
          "the API server refuses %s for claim %s (%s): %s"
              .formatted(request.size(), claim.key(), code, message));
    }
    return "the request: " + result;
  }

  private GrowthStoppedException timedOut(ObjectKey key, Duration elapsed, String cause) {
    return new GrowthStoppedException(
        "claim %s does not have %s after %s (%s): 'mooring explain pvc/%s -n %s' shows the cause; run the command again to continue"
            .formatted(
                key,
                request.size(),
                GrowthText.elapsed(elapsed),
                cause,
                key.name(),
                key.namespace()));
  }
}
