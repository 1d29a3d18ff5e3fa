package dev.mooring.kube.auth;

import java.io.IOException;
import java.time.Duration;

/** Credentials for a server, renewed while the process runs. Thread-safe. */
public interface Credentials {
  /**
   * Credentials of one request.
   *
   * @param authorization value of the header; "" for none
   * @param certificate PEM certificate chain; "" for none
   * @param key PEM key; "" for none
   */
  record CredentialSet(String authorization, String certificate, String key) {
    public static final CredentialSet NONE = new CredentialSet("", "", "");

    @Override
    public String toString() {
      return "credentials"; // must not appear in logs
    }
  }

  /**
   * Returns the current credentials. Blocks while new ones are fetched.
   *
   * @param maxWait longest time to block
   * @throws CredentialsException if none are available; the message states the reason
   */
  CredentialSet current(Duration maxWait) throws IOException;

  /**
   * Reports that the server rejected these credentials; fetches new ones if possible.
   *
   * @param maxWait longest time to block; the fetch continues after it
   * @throws CredentialsException if the fetch failed
   */
  void handleRejection(CredentialSet credentials, Duration maxWait) throws IOException;
}
