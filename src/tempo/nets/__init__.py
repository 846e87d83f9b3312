"""Networks. They need the extra `deep` (JAX); what is trained plays without it."""
