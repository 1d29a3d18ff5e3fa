package dev.mooring.kube.auth;

import java.io.IOException;
import java.time.Duration;

final class StaticCredentials implements Credentials {
  private final String basicAuthorization;
  private final CredentialSource token;
  private final CredentialSource certificate;
  private final CredentialSource key;

  StaticCredentials(
      String basicAuthorization,
      CredentialSource token,
      CredentialSource certificate,
      CredentialSource key) {
    this.basicAuthorization = basicAuthorization;
    this.token = token;
    this.certificate = certificate;
    this.key = key;
  }

  @Override
  public CredentialSet current(Duration maxWait) throws IOException {
    String bearer = token.get();
    return new CredentialSet(
        bearer.isEmpty() ? basicAuthorization : "Bearer " + bearer, certificate.get(), key.get());
  }

  @Override
  public void handleRejection(CredentialSet credentials, Duration maxWait) {
    token.requestReread();
    certificate.requestReread();
    key.requestReread();
  }
}
