"""Reports: a review as one HTML page with its plots and pictures."""
