package dev.mooring.it.scenario;

import com.google.gson.JsonObject;
import dev.mooring.it.Api;
import dev.mooring.it.Endpoint;
import dev.mooring.it.Resources;
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

/**
 * Plays scenarios with faults between the controllers and their server.
 *
 * @param api the server, for users, who meet no faults
 * @param server the same, for the proxy
 * @param tls of the proxy
 * @param folder for files
 * @param quiet for how many seconds nothing has to change until it counts as settled
 */
public record FaultPlay(Api api, Endpoint server, ProxyTls tls, Path folder, double quiet) {
  /** At most so many of lists and watches, and as many of other calls. */
  private static final int FAULTS = 10;

  /**
   * How a scenario ended.
   *
   * @param wrong where that differs from the recorded end, and what was done that must not be
   * @param struck which faults it has met
   * @param log what was asked of the server, and what went wrong with it
   */
  public record End(List<String> wrong, Set<Class<?>> struck, List<String> log) {}

  /** Plays that scenario with those faults. */
  public End play(String name, long seed) throws Exception {
    return play(name, seed, () -> {});
  }

  /** The same, with a look at the end, while the controllers still run. */
  End play(String name, long seed, ScenarioRun.Ending ending) throws Exception {
    Faults faults = Faults.seeded(seed * 1_000_003 + name.hashCode(), FAULTS, Times.SHORT);
    try (FaultProxy proxy = FaultProxy.before(server, faults, tls)) {
      Invariants invariants = new Invariants(api);
      proxy.holding(invariants);
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, proxy.kubeconfig());
      JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
      JsonObject golden = Scenarios.golden(name);
      Function<JsonObject, List<String>> differences =
          end ->
              Golden.differences(golden, end, scenario.get("ignore")).stream()
                  .filter(one -> !new Excused(golden, end, proxy.victims()).covers(one))
                  .toList();
      RunningController controller =
          new ThroughFaults(new InProcess(kubeconfig, Resources.plugins()), proxy);
      JsonObject end =
          new ScenarioRun(api, controller, quiet)
              .ending(faults::stop, snapshot -> differences.apply(snapshot).isEmpty())
              .endingWith(ending)
              .telling(step -> proxy.say("the user: " + step))
              .play(scenario);
      List<String> wrong = new ArrayList<>(invariants.violations());
      wrong.addAll(differences.apply(end));
      return new End(wrong, proxy.struck().keySet(), proxy.log());
    }
  }
}
