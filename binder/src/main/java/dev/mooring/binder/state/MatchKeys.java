package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.LabelQuery;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.MatchSubject;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Match keys of unbound claims that have a selector. Computing a key takes time linear in the
 * selector, so it is done once per change and not at every decision. Thread-safe.
 */
final class MatchKeys {
  private record KeyedClaim(Claim claim, MatchKey key) {}

  private record SharedQuery(LabelQuery query, int users) {}

  private final BinderPolicy policy;
  private final Map<ObjectKey, KeyedClaim> keyedClaims = new ConcurrentHashMap<>();
  private final Map<LabelQuery, SharedQuery> queries = new ConcurrentHashMap<>();

  MatchKeys(BinderPolicy policy) {
    this.policy = policy;
  }

  MatchKey update(Claim claim) {
    MatchKey key = shareQuery(create(claim));
    remove(claim.key());
    if (key.labels() != null) {
      keyedClaims.put(claim.key(), new KeyedClaim(claim, key));
    }
    return key;
  }

  void remove(ObjectKey claim) {
    KeyedClaim removed = keyedClaims.remove(claim);
    LabelQuery query = removed == null ? null : removed.key().labels();
    if (query != null) {
      queries.computeIfPresent(
          query, (q, s) -> s.users() == 1 ? null : new SharedQuery(s.query(), s.users() - 1));
    }
  }

  private MatchKey shareQuery(MatchKey key) {
    LabelQuery query = key.labels();
    if (query == null) {
      return key;
    }
    SharedQuery sharedQuery =
        queries.merge(
            query,
            new SharedQuery(query, 1),
            (shared, _) -> new SharedQuery(shared.query(), shared.users() + 1));
    return key.withLabels(sharedQuery.query());
  }

  MatchKey of(Claim claim) {
    KeyedClaim keyedClaim = claim.selector() == null ? null : keyedClaims.get(claim.key());
    return keyedClaim != null && keyedClaim.claim() == claim ? keyedClaim.key() : create(claim);
  }

  private MatchKey create(Claim claim) {
    return MatchKey.of(new MatchSubject(claim, policy));
  }
}
