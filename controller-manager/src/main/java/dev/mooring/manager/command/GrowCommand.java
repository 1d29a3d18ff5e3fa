package dev.mooring.manager.command;

import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.manager.grow.GrowthPlan;
import dev.mooring.manager.grow.GrowthPorts;
import dev.mooring.manager.grow.GrowthRequest;
import dev.mooring.manager.grow.GrowthRights;
import dev.mooring.manager.grow.GrowthStoppedException;
import dev.mooring.manager.grow.GrowthText;
import dev.mooring.manager.grow.StatefulSetGrowth;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "grow",
    description =
        "Grows all claims of a StatefulSet's claim template, one after the other. With --parallel, several grow at the same time. Then replaces the StatefulSet by one with the new size in the template; its pods keep running. Checks everything before the first write. After an interruption, run the same command again: it continues.",
    footer = {
      "",
      "Examples:",
      "  mooring grow statefulset/db --size 20Gi -n shop --dry-run",
      "  mooring grow statefulset/db --size 20Gi -n shop --template data --parallel 3"
    },
    mixinStandardHelpOptions = true)
public final class GrowCommand implements Callable<Integer> {
  private static final Set<String> KINDS = Set.of("statefulset", "statefulsets", "sts");
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Parameters(
      arity = "1..2",
      paramLabel = "statefulset/NAME",
      description = "StatefulSet whose claims grow.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = "--size",
      required = true,
      paramLabel = "SIZE",
      description = "New size of each claim, for example 20Gi. Claims cannot shrink.")
  private String size = "";

  @Option(
      names = "--template",
      paramLabel = "NAME",
      description = "Claim template. Default: the only one.")
  private String template = "";

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Number of claims that grow at the same time. Default: ${DEFAULT-VALUE}. If one of them fails, the others continue.")
  private int parallel = 1;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace. Default: that of the kubeconfig's context, else 'default'.")
  private @Nullable String namespace;

  @Option(names = "--dry-run", description = "Check and print the steps; write nothing.")
  private boolean dryRun;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "Longest wait for one claim, for example 30m. The growth of the claim continues after it. Default: 10m.")
  private Duration timeout = Duration.ofMinutes(10);

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public GrowCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    String name = name();
    Quantity quantity = quantity(size);
    if (!timeout.isPositive()) {
      throw new InvalidFlagException("--timeout 0s is too short: specify for example 30m");
    }
    if (parallel < 1) {
      throw new InvalidFlagException(
          "--parallel " + parallel + " is too small: specify at least 1");
    }
    try (KubeConnection connection = cluster.connect()) {
      String targetNamespace = namespace == null ? connection.namespace() : namespace;
      GrowthRequest request = new GrowthRequest(key(targetNamespace, name), template, quantity);
      UserRights.require(GrowthRights.of(request), connection);
      Time time = new SystemTime();
      KubeCluster server = KubeCluster.alone(connection, time);
      StatefulSetGrowth growth =
          new StatefulSetGrowth(
              new GrowthPorts(server, server, new WholeObjectWriter(connection)),
              request,
              time,
              new Pace(timeout, PAUSE, parallel),
              System.out::println);
      return grow(growth, request);
    } catch (GrowthStoppedException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private int grow(StatefulSetGrowth growth, GrowthRequest request)
      throws GrowthStoppedException, IOException, InterruptedException {
    GrowthPlan.Steps plan = growth.plan();
    if (plan.steps().isEmpty()) {
      System.out.println(
          "nothing to do: template %s of StatefulSet %s and its claims have %s"
              .formatted(plan.template(), request.statefulSet(), request.size()));
      return 0;
    }
    System.out.print(GrowthText.table(request, plan.steps()));
    if (dryRun) {
      System.out.println("nothing was written; without --dry-run these steps follow");
      return 0;
    }
    growth.run();
    System.out.println(
        "template %s of StatefulSet %s and its claims have %s; set this size also in the manifest or chart"
            .formatted(plan.template(), request.statefulSet(), request.size()));
    return 0;
  }

  private String name() throws InvalidFlagException {
    NamedTarget target = NamedTarget.of(object);
    if (!KINDS.contains(target.kind()) || target.name().isEmpty()) {
      throw new InvalidFlagException(
          "\"" + target.text() + "\" does not name a StatefulSet: specify statefulset/NAME");
    }
    return target.name();
  }

  private static ObjectKey key(String namespace, String name) throws InvalidFlagException {
    ObjectKey key = ObjectKey.of(namespace, name);
    if (namespace.isEmpty() || !key.flaw().isEmpty()) {
      throw new InvalidFlagException(
          "invalid StatefulSet: "
              + (namespace.isEmpty() ? "the namespace is empty" : key.flaw())
              + ": specify statefulset/NAME and -n NAMESPACE");
    }
    return key;
  }

  static Quantity quantity(String size) throws InvalidFlagException {
    Quantity quantity =
        Quantity.parse(size)
            .orElseThrow(() ->
                new InvalidFlagException(
                    "--size \"" + size + "\" is not a quantity: specify for example 20Gi"));
    boolean isWhole = quantity.value().stripTrailingZeros().scale() <= 0;
    if (quantity.compareTo(Quantity.ZERO) <= 0 || !isWhole || quantity.exceedsBytes()) {
      throw new InvalidFlagException(
          "--size \""
              + size
              + "\" is not a positive number of whole bytes below 8Ei: specify for example 20Gi");
    }
    return quantity;
  }
}
