package dev.mooring.manager.danger;

import dev.mooring.forecast.ForecastTerms;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Danger of several claims, the most endangered first.
 *
 * @param assumptions what the search does not know
 * @param isSingle whether the user named the claim
 */
public record DangerReport(List<ClaimDanger> claims, List<String> assumptions, boolean isSingle) {
  private static final Comparator<ClaimDanger> MOST_ENDANGERED_FIRST =
      Comparator.<ClaimDanger>comparingInt(danger -> danger.volume().isPresent() ? 0 : 1)
          .thenComparingInt(danger -> danger.acts().orElse(DangerSearch.MAX_ACTS + 1))
          .thenComparing(ClaimDanger::claim);

  public DangerReport {
    claims = claims.stream().sorted(MOST_ENDANGERED_FIRST).toList();
    assumptions = List.copyOf(assumptions);
  }

  public static List<String> assumptions(ForecastTerms terms) {
    List<String> assumptions =
        new ArrayList<>(
            List.of(
                "the plugin, provisioner or driver of every volume runs and succeeds",
                "pods end when they are deleted, unless their node is lost; lost nodes may return with their disks",
                "workloads keep their number of replicas; owners of other kinds are ignored",
                "snapshots and copies in progress complete; operators, webhooks and quotas do not act",
                "a backup contains the claims and volumes as they are now"));
    assumptions.add(
        terms.compat().equals(Compat.KUBERNETES)
            ? "kube-controller-manager decides (--compat=kcm)"
            : "Mooring decides, also about the volumes of CSI drivers; --compat=kcm assumes kube-controller-manager");
    return assumptions;
  }

  public long countBelow(int acts) {
    return claims.stream()
        .filter(danger -> danger.acts().isPresent() && danger.acts().getAsInt() < acts)
        .count();
  }
}
