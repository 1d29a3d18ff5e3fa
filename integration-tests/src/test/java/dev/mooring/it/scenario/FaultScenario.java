package dev.mooring.it.scenario;

import com.google.gson.JsonObject;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.faults.FaultProxy;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.Faults.Times;
import dev.mooring.it.faults.Invariants;
import dev.mooring.it.faults.ProxyTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plays scenarios with faults between the controllers and their server.
 *
 * @param api access for users, without faults
 * @param server the server behind the proxy
 * @param tls of the proxy; null for none
 * @param folder for files
 * @param quietSeconds seconds without a change that count as settled
 */
public record FaultScenario(
    RestApi api, ServerEndpoint server, @Nullable ProxyTls tls, Path folder, double quietSeconds) {
  /** Limit for lists and watches, and a second one for other calls. */
  private static final int MAX_FAULTS = 10;

  /**
   * The result of a scenario.
   *
   * @param wrong differences from the recorded end and invariant violations
   * @param injectedFaults types of injected faults
   * @param log recent requests and their faults
   */
  public record End(List<String> wrong, Set<Class<?>> injectedFaults, List<String> log) {}

  /** Plays the scenario with the faults of the seed. */
  public End play(String name, long seed) throws Exception {
    return play(name, seed, () -> {});
  }

  /** Plays the scenario and calls {@code endCheck} while the controllers still run. */
  End play(String name, long seed, ScenarioRun.StateCheck endCheck) throws Exception {
    Faults faults = Faults.seeded(seed * 1_000_003 + name.hashCode(), MAX_FAULTS, Times.SHORT);
    try (FaultProxy proxy = FaultProxy.before(server, faults, tls)) {
      Invariants invariants = new Invariants(api);
      proxy.holding(invariants);
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, proxy.kubeconfig());
      JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
      JsonObject golden = Scenarios.readEndState(name);
      Function<JsonObject, List<String>> differences =
          endState ->
              GoldenComparison.findDifferences(golden, endState, scenario.get("ignore")).stream()
                  .filter(difference ->
                      !new PermittedDifferences(golden, endState, proxy.faultedRequests())
                          .isPermitted(difference))
                  .toList();
      RunningController controller =
          new ProxiedController(new InProcessController(kubeconfig, Resources.plugins()), proxy);
      JsonObject endState =
          new ScenarioRun(api, controller, quietSeconds)
              .expectingEnd(faults::stop, snapshot -> differences.apply(snapshot).isEmpty())
              .verifyingEnd(endCheck)
              .beforeEachStep(step -> proxy.addLogLine("user: " + step))
              .play(scenario);
      List<String> violations = new ArrayList<>(invariants.violations());
      violations.addAll(differences.apply(endState));
      return new End(violations, proxy.injectedFaults().keySet(), proxy.log());
    }
  }
}
